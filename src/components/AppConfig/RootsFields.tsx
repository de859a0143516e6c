import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Checkbox, Field, Input, RadioButtonGroup, useStyles2 } from '@grafana/ui';

import { PLUGIN_ID } from '../../constants';
import { plural } from '../../format/number';
import type { SettingsResponse } from '../../types/generated';
import { FieldsProps } from './fields';

interface Props extends FieldsProps {
  /** What the operator configured, as the backend reports it; undefined while that is not known. */
  effective: SettingsResponse | undefined;
}

/** Which of the operator's roots this organisation reads, and how far each is narrowed. */
export function RootsFields({ draft, faults, change, effective }: Props) {
  const styles = useStyles2(getStyles);
  const operator = effective?.operatorRoots ?? [];
  // A root that was picked and is gone stays in sight, so that it can be taken out.
  const names = [...operator, ...draft.roots.map(({ name }) => name).filter((name) => !operator.includes(name))];

  if (effective && names.length === 0) {
    return (
      <div>
        The operator of this Grafana has named no root. Roots are directories that hold results, and only Grafana’s own
        configuration can name them:
        <pre className={styles.code}>{`[plugin.${PLUGIN_ID}]\nroots = lab=/var/lib/replay-evidence/lab`}</pre>
      </div>
    );
  }

  const set = (name: string, path: string | null) =>
    change({
      roots:
        path === null
          ? draft.roots.filter((root) => root.name !== name)
          : draft.roots.some((root) => root.name === name)
            ? draft.roots.map((root) => (root.name === name ? { ...root, path } : root))
            : [...draft.roots, { name, path }],
    });

  return (
    <div>
      <Field
        noMargin
        label="Roots"
        description="Directories that hold results. The operator names them; you choose among them and narrow them."
        invalid={Boolean(faults.roots)}
        error={faults.roots}
      >
        <RadioButtonGroup
          aria-label="Roots"
          value={draft.everyRoot}
          onChange={(everyRoot) => change({ everyRoot })}
          options={[
            { label: 'Every root of the operator', value: true },
            { label: 'Only these', value: false },
          ]}
        />
      </Field>
      <ul className={styles.list}>
        {names.map((name) => {
          const picked = draft.roots.find((root) => root.name === name);
          const state = effective?.roots.find((root) => root.name === name);
          const gone = Boolean(effective) && !operator.includes(name);
          const id = `root-path-${name}`;
          return (
            <li key={name} className={styles.root}>
              {draft.everyRoot ? (
                <span className={styles.name}>{name}</span>
              ) : (
                <Checkbox
                  label={name}
                  value={picked !== undefined}
                  onChange={(event) => set(name, event.currentTarget.checked ? '' : null)}
                />
              )}
              {!draft.everyRoot && picked && (
                <Field
                  noMargin
                  className={styles.path}
                  invalid={Boolean(faults[`root ${name}`])}
                  error={faults[`root ${name}`]}
                >
                  <Input
                    id={id}
                    aria-label={`Directory below ${name}`}
                    placeholder="whole root; or a directory below it"
                    value={picked.path ?? ''}
                    onChange={(event) => set(name, event.currentTarget.value)}
                  />
                </Field>
              )}
              <span className={styles.state}>
                {gone
                  ? 'the operator no longer names this root'
                  : state &&
                    (state.readable ? `${plural(state.sides, 'side')}, ${plural(state.runs, 'run')}` : state.message)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  list: css({ listStyle: 'none', margin: theme.spacing(1.5, 0, 0), padding: 0 }),
  root: css({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0.5, 2),
    minHeight: 40,
    borderTop: `1px solid ${theme.colors.border.weak}`,
    padding: theme.spacing(0.5, 0),
  }),
  name: css({ fontWeight: theme.typography.fontWeightMedium }),
  path: css({ flex: '0 1 320px', minWidth: 180 }),
  state: css({ color: theme.colors.text.secondary, overflowWrap: 'anywhere', ...theme.typography.bodySmall }),
  code: css({ margin: theme.spacing(1, 0, 0), whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
});

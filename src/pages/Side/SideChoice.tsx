import React, { useMemo } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Combobox, Field, useStyles2 } from '@grafana/ui';

import { Loaded } from '../../api/useLoad';
import type { SidesResponse } from '../../types/generated';

interface Props {
  sides: Loaded<SidesResponse>;
  side: string;
  profile: string;
  onChange: (name: 'side' | 'profile', value: string) => void;
}

/** Which side, and with which questions. Nothing in a side says which profile fits it, so that is for a person to choose. */
export function SideChoice({ sides, side, profile, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const options = useMemo(
    () =>
      (sides.data?.sides ?? []).map(({ id, label }) => ({
        value: id,
        label,
        description: id === label ? undefined : id,
      })),
    [sides.data]
  );
  const profiles = sides.data?.profiles ?? [];
  return (
    <div className={styles.line} role="group" aria-label="What is shown">
      <Field label="Side" htmlFor="side-choice" className={styles.side} noMargin>
        <Combobox
          id="side-choice"
          options={options}
          value={side || null}
          loading={sides.loading}
          placeholder="Choose a side"
          noOptionsMessage={sides.problem ? 'The sides could not be listed' : 'No side has this name'}
          onChange={({ value }) => onChange('side', value)}
        />
      </Field>
      {profiles.length > 0 && (
        <Field
          label="Profile"
          description={
            profile === '' && profiles.length > 1
              ? `None was chosen: the first of ${profiles.length} asks the questions`
              : undefined
          }
          htmlFor="side-profile"
          className={styles.profile}
          noMargin
        >
          <Combobox
            id="side-profile"
            options={profiles.map(({ name, requestMetric }) => ({
              value: name,
              label: name,
              description: requestMetric,
            }))}
            value={profile || (profiles[0]?.name ?? null)}
            onChange={({ value }) => onChange('profile', value)}
          />
        </Field>
      )}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: theme.spacing(1, 2) }),
  side: css({ flex: '1 1 260px', maxWidth: 520, minWidth: 0 }),
  profile: css({ flex: '0 1 300px', minWidth: 140 }),
});

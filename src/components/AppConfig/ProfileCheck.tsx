import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Button, Icon, useStyles2 } from '@grafana/ui';

import { checkProfile } from '../../api/resources';
import { useLoad } from '../../api/useLoad';
import type { CheckLine } from '../../types/generated';
import { SrOnly } from '../SrOnly/SrOnly';
import { LoadView } from '../StateViews/StateViews';

const ICONS: Record<string, IconName> = {
  ok: 'check-circle',
  warning: 'exclamation-circle',
  error: 'exclamation-triangle',
};

interface Props {
  yaml: string;
  /** True while the text is being changed: what is shown belongs to an older text. */
  waiting: boolean;
}

/** Says of a draft, setting by setting, whether the server has what it asks for. */
export function ProfileCheck({ yaml, waiting }: Props) {
  const styles = useStyles2(getStyles);
  const check = useLoad(yaml.trim() === '' ? null : yaml, (signal) => checkProfile(yaml, signal));
  return (
    <div className={styles.check} aria-live="polite" aria-busy={check.loading}>
      <div className={styles.head}>
        <h3 className={styles.title}>Check</h3>
        <Button size="sm" variant="secondary" fill="text" icon="sync" onClick={check.reload} disabled={check.loading}>
          {check.loading || waiting ? 'Checking' : 'Ask again'}
        </Button>
      </div>
      {yaml.trim() === '' ? (
        <span className={styles.dim}>An empty profile is not saved.</span>
      ) : (
        <LoadView loaded={check} label="Checking the profile" lines={4}>
          {({ lines }) => (
            <ul className={styles.list}>
              {lines.map((line, at) => (
                <Line key={at} line={line} />
              ))}
            </ul>
          )}
        </LoadView>
      )}
    </div>
  );
}

function Line({ line: { subject, state, text, next } }: { line: CheckLine }) {
  const styles = useStyles2(getStyles);
  return (
    <li className={styles.line}>
      <Icon name={ICONS[state] ?? 'info-circle'} className={styles[state as 'ok'] ?? styles.dim} aria-hidden />
      <div>
        <SrOnly>{state}: </SrOnly>
        <strong>{subject}</strong> {text}
        {next && <div className={styles.dim}>{next}</div>}
      </div>
    </li>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  check: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0 }),
  head: css({ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }),
  title: css({ margin: 0, ...theme.typography.h6 }),
  list: css({
    listStyle: 'none',
    margin: 0,
    padding: 0,
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(1),
  }),
  line: css({
    display: 'flex',
    gap: theme.spacing(1),
    overflowWrap: 'anywhere',
    svg: { flexShrink: 0, marginTop: theme.spacing(0.25) },
    '> div': { minWidth: 0 },
  }),
  ok: css({ color: theme.colors.success.text }),
  warning: css({ color: theme.colors.warning.text }),
  error: css({ color: theme.colors.error.text }),
  dim: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});

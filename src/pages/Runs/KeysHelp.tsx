import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

const KEYS: ReadonlyArray<[keys: string[], does: string]> = [
  [['↑', '↓'], 'move'],
  [['b'], 'baseline'],
  [['c'], 'candidate'],
  [['Shift + b', 'Shift + c'], 'add a directory to it'],
  [['Enter'], 'compare'],
  [['→', '←'], 'show or hide runs'],
  [['o'], 'open the side'],
];

/** The keys of the table, and what the last one did. */
export function KeysHelp({ said }: { said: string }) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.line}>
      <span id="replay-evidence-keys" className={styles.keys}>
        <span>With the table in focus:</span>
        {KEYS.map(([keys, does]) => (
          <span key={does} className={styles.key}>
            {keys.map((key) => (
              <kbd key={key} className={styles.kbd}>
                {key}
              </kbd>
            ))}{' '}
            {does}
          </span>
        ))}
      </span>
      <span role="status" aria-label="Choice" className={styles.said}>
        {said}
      </span>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 2),
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
  }),
  keys: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2) }),
  key: css({ whiteSpace: 'nowrap' }),
  kbd: css({
    marginRight: theme.spacing(0.5),
    padding: theme.spacing(0, 0.5),
    border: `1px solid ${theme.colors.border.medium}`,
    borderRadius: theme.shape.radius.default,
    background: theme.colors.background.secondary,
    color: theme.colors.text.primary,
    boxShadow: 'none',
    fontFamily: theme.typography.fontFamilyMonospace,
    fontSize: 'inherit',
  }),
  said: css({ color: theme.colors.text.primary }),
});

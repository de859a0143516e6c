import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

interface Props {
  caption: string;
  head: readonly string[];
  rows: ReadonlyArray<readonly string[]>;
}

/** The figures of a chart as a table, folded away: for those who cannot see it, and for those who want to copy it. */
export function FiguresTable({ caption, head, rows }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <details className={styles.details}>
      <summary>Figures as a table</summary>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column}>{cell}</td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  details: css({
    ...theme.typography.bodySmall,
    color: theme.colors.text.secondary,
    summary: { cursor: 'pointer' },
  }),
  caption: css({ textAlign: 'left', padding: theme.spacing(0.5, 0) }),
  table: css({
    fontVariantNumeric: 'tabular-nums',
    'th, td': {
      padding: theme.spacing(0.25, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      textAlign: 'right',
      fontWeight: theme.typography.fontWeightRegular,
    },
    'th:first-child': { textAlign: 'left' },
  }),
});

import React, { ReactNode } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { scrollHint } from '../../components/scrollHint';
import { Revealed } from '../../components/Revealed/Revealed';
import { SrOnly } from '../../components/SrOnly/SrOnly';

export interface PlainRow {
  key: string;
  cells: readonly ReactNode[];
  /** True when a proof points at this row. */
  revealed?: boolean;
}

interface Props {
  /** Says what the table holds, for readers of the screen. */
  caption: string;
  head: readonly string[];
  rows: readonly PlainRow[];
}

/** A table in the order of its rows; the first column heads its row. */
export function PlainTable({ caption, head, rows }: Props) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>
          <SrOnly>{caption}</SrOnly>
        </caption>
        <thead>
          <tr>
            {head.map((name, column) => (
              <th key={name || column} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Revealed as="tr" key={row.key} when={row.revealed ?? false}>
              {row.cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column}>{cell}</td>
                )
              )}
            </Revealed>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  scroll: css({ overflowX: 'auto', minWidth: 0, ...scrollHint(theme) }),
  table: css({
    width: '100%',
    fontVariantNumeric: 'tabular-nums',
    caption: { padding: 0, height: 0 },
    'th, td': {
      padding: theme.spacing(0.75, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      textAlign: 'left',
      verticalAlign: 'top',
      fontWeight: theme.typography.fontWeightRegular,
    },
    'thead th': { color: theme.colors.text.secondary, whiteSpace: 'nowrap', ...theme.typography.bodySmall },
  }),
});

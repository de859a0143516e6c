import React, { ReactNode, useMemo } from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { scrollHint } from '../scrollHint';
import { Revealed } from '../Revealed/Revealed';
import { Sort, sorted, SortValue } from './sort';

export interface SortableColumn<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Without it the column cannot be sorted by. */
  sortBy?: (row: Row) => SortValue;
  /** Figures stand at the right. */
  numeric?: boolean;
}

interface Props<Row> {
  /** Says what the table holds, for readers of the screen. */
  caption: string;
  columns: ReadonlyArray<SortableColumn<Row>>;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** null leaves the rows in their order. */
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  /** The row to show: it is marked and scrolled to. */
  revealed?: string;
}

/** A table that can be sorted by its headings, with the keyboard too. The first column heads its row. */
export function SortableTable<Row>({ caption, columns, rows, rowKey, sort, onSort, revealed }: Props<Row>) {
  const styles = useStyles2(getStyles);
  const ordered = useMemo(() => {
    const by = columns.find((column) => column.id === sort?.column)?.sortBy;
    return sort && by ? sorted(rows, by, sort.descending) : rows;
  }, [columns, rows, sort]);

  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className={styles.srOnly}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const active = sort?.column === column.id;
              return (
                <th
                  key={column.id}
                  scope="col"
                  className={cx(column.numeric && styles.numeric)}
                  aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
                >
                  {column.sortBy ? (
                    <button
                      type="button"
                      className={styles.sortButton}
                      onClick={() =>
                        // Figures are most often looked at from the largest down.
                        onSort({ column: column.id, descending: active ? !sort.descending : Boolean(column.numeric) })
                      }
                    >
                      {column.header}
                      {active && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} size="sm" aria-hidden />}
                    </button>
                  ) : (
                    column.header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {ordered.map((row) => {
            const key = rowKey(row);
            return (
              <Revealed as="tr" key={key} when={key === revealed}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.id} scope="row">
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td key={column.id} className={cx(column.numeric && styles.numeric)}>
                      {column.cell(row)}
                    </td>
                  )
                )}
              </Revealed>
            );
          })}
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
    'th, td': {
      padding: theme.spacing(0.75, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      textAlign: 'left',
      verticalAlign: 'top',
      fontWeight: theme.typography.fontWeightRegular,
    },
    'thead th': {
      color: theme.colors.text.secondary,
      whiteSpace: 'nowrap',
      verticalAlign: 'bottom',
      ...theme.typography.bodySmall,
    },
    'tbody th': { minWidth: theme.spacing(18), overflowWrap: 'anywhere' },
  }),
  numeric: css({ '&&': { textAlign: 'right', whiteSpace: 'nowrap' } }),
  sortButton: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    padding: 0,
    border: 'none',
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    '&:hover': { color: theme.colors.text.primary },
  }),
  srOnly: css({
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  }),
});

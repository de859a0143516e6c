import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { SideMark } from '../components/charts/SideMark';
import { ROLES } from '../components/charts/sides';
import { SrOnly } from '../components/SrOnly/SrOnly';
import { DASH } from '../format/number';
import { reasonText } from '../format/reason';
import type { Cell, Row } from '../types/generated';

interface Props {
  rows: readonly Row[];
  /** Width of the panel in CSS pixels; where bounds and source came from is shown from 760 on. */
  width: number;
}

// Sign and word for whether a move is one for the better; the colour only repeats it.
const DIRECTIONS: Record<string, { icon: IconName; tone: 'better' | 'worse' }> = {
  better: { icon: 'check', tone: 'better' },
  worse: { icon: 'exclamation-triangle', tone: 'worse' },
};

/** On hover, what the guide's own query gives, or why there is no figure. */
function hint({ text, value, guide, reasons }: Cell): string | undefined {
  if (value === null) {
    return reasons?.value ? reasonText(reasons.value) : undefined;
  }
  return guide && guide !== text ? `PromQL ${guide}` : undefined;
}

const figure = (cell: Cell) => <span title={hint(cell)}>{cell.text || DASH}</span>;

/** The evidence table, row for row as the comparison has it. */
export function EvidenceRows({ rows, width }: Props) {
  const styles = useStyles2(getStyles);
  const wide = width >= 760;
  return (
    <table className={styles.table}>
      <caption>
        <SrOnly>Evidence: each measure of both sides and its change</SrOnly>
      </caption>
      <thead>
        <tr>
          <th scope="col">Measure</th>
          {ROLES.map((role) => (
            <th key={role} scope="col">
              <SideMark role={role} /> {role}
            </th>
          ))}
          <th scope="col">Change</th>
          {wide && <th scope="col">Bounds and source</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const direction = DIRECTIONS[row.direction];
          return (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {ROLES.map((role) => (
                <td key={role}>{figure(row[role])}</td>
              ))}
              <td title={wide ? undefined : row.bounds}>
                {direction && (
                  <>
                    <Icon name={direction.icon} size="sm" className={styles[direction.tone]} aria-hidden />
                    <SrOnly>{direction.tone}: </SrOnly>{' '}
                  </>
                )}
                {row.change}
              </td>
              {wide && <td className={styles.bounds}>{row.bounds}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  table: css({
    width: '100%',
    fontVariantNumeric: 'tabular-nums',
    caption: { padding: 0, height: 0 },
    ...theme.typography.bodySmall,
    'th, td': {
      padding: theme.spacing(0.5, 1),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      textAlign: 'right',
      verticalAlign: 'baseline',
      fontWeight: theme.typography.fontWeightRegular,
    },
    'thead th': {
      position: 'sticky',
      top: 0,
      color: theme.colors.text.secondary,
      background: theme.colors.background.primary,
      whiteSpace: 'nowrap',
    },
    'th:first-child, td:nth-child(5), th:nth-child(5)': { textAlign: 'left' },
  }),
  better: css({ color: theme.colors.success.text }),
  worse: css({ color: theme.colors.error.text }),
  bounds: css({ color: theme.colors.text.secondary }),
});

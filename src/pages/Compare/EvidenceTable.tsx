import React from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { ROLES } from '../../components/charts/sides';
import { scrollHint } from '../../components/scrollHint';
import { Section } from '../../components/Section/Section';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import { DASH } from '../../format/number';
import { reasonText } from '../../format/reason';
import type { Cell, Comparison, Row } from '../../types/generated';

interface Props {
  comparison: Comparison;
  /** Opens the proof of a row. */
  onOpen: (ref: string) => void;
}

/** The guide's evidence table, row for row, and the rows added to it. Every word of it comes from the backend. */
export function EvidenceTable({ comparison, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const guide = comparison.table.filter((row) => row.guide);
  const own = comparison.table.filter((row) => !row.guide);
  return (
    <Section title="Evidence" subtitle="choose a measure to see the questions behind it">
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption>
            <SrOnly>Each measure of both sides, its change, and where it comes from</SrOnly>
          </caption>
          <thead>
            <tr>
              <th scope="col">Measure</th>
              {ROLES.map((role) => (
                <th key={role} scope="col" className={styles.figure}>
                  <SideMark role={role} /> {role}
                </th>
              ))}
              <th scope="col" className={styles.figure}>
                Change
              </th>
              <th scope="col" className={styles.wide}>
                Bounds and source
              </th>
            </tr>
          </thead>
          <tbody>
            {guide.map((row) => (
              <EvidenceRow key={row.key} row={row} onOpen={onOpen} />
            ))}
          </tbody>
          {own.length > 0 && (
            <tbody>
              <tr>
                <th scope="rowgroup" colSpan={5} className={styles.divider}>
                  Beyond the guide’s table: exact figures that add up
                </th>
              </tr>
              {own.map((row) => (
                <EvidenceRow key={row.key} row={row} onOpen={onOpen} />
              ))}
            </tbody>
          )}
        </table>
      </div>
    </Section>
  );
}

function EvidenceRow({ row, onOpen }: { row: Row; onOpen: (ref: string) => void }) {
  const styles = useStyles2(getStyles);
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles.measure} onClick={() => onOpen(`table:${row.key}`)}>
          {row.label}
        </button>
        {row.bounds && <div className={styles.narrow}>{row.bounds}</div>}
      </th>
      {ROLES.map((role) => (
        <td key={role} className={styles.figure}>
          <Figure cell={row[role]} />
        </td>
      ))}
      <td className={styles.figure}>
        <Change change={row.change} direction={row.direction} />
      </td>
      <td className={styles.wide}>{row.bounds}</td>
    </tr>
  );
}

function Figure({ cell }: { cell: Cell }) {
  const styles = useStyles2(getStyles);
  const missing = cell.value === null;
  return (
    <>
      <span className={cx(missing && styles.dim)} title={missing ? reasonText(cell.reasons?.value) : undefined}>
        {cell.text || DASH}
      </span>
      {cell.guide && cell.guide !== cell.text && <div className={styles.guide}>PromQL {cell.guide}</div>}
    </>
  );
}

/** Better or worse is said by a sign and a word; the colour only repeats it. */
function Change({ change, direction }: { change: string; direction: string }) {
  const styles = useStyles2(getStyles);
  if (direction !== 'better' && direction !== 'worse') {
    return <span className={cx(direction === 'unknown' && styles.dim)}>{change || DASH}</span>;
  }
  return (
    <span className={direction === 'better' ? styles.better : styles.worse} title={direction}>
      <Icon name={direction === 'better' ? 'check' : 'exclamation-triangle'} size="sm" aria-hidden />
      <SrOnly>{direction}: </SrOnly>
      {change}
    </span>
  );
}

// By the room of the table itself, whatever stands beside it.
const NARROW = '@container (max-width: 719px)';
const WIDE = '@container (min-width: 720px)';

const getStyles = (theme: GrafanaTheme2) => {
  const small = { color: theme.colors.text.secondary, ...theme.typography.bodySmall };
  const change = {
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    [NARROW]: { whiteSpace: 'normal' as const },
  };
  return {
    scroll: css({ overflowX: 'auto', minWidth: 0, containerType: 'inline-size', ...scrollHint(theme) }),
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
      'thead th': { ...small, whiteSpace: 'nowrap' },
      // On a narrow screen a measure stands above its figures.
      [NARROW]: {
        'thead tr, tbody tr': {
          display: 'grid',
          gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
          padding: theme.spacing(0.75, 0),
          borderBottom: `1px solid ${theme.colors.border.weak}`,
        },
        'th, td': { padding: theme.spacing(0.25, 0.5), borderBottom: 'none' },
        'thead th:first-child, tbody th': { gridColumn: '1 / -1' },
      },
      'tbody th[scope="row"]': { [WIDE]: { minWidth: theme.spacing(24) } },
      'tbody tr:hover td, tbody tr:hover th[scope="row"]': { background: theme.colors.action.hover },
    }),
    figure: css({ '&&': { textAlign: 'right', whiteSpace: 'nowrap' } }),
    measure: css({
      padding: 0,
      border: 'none',
      background: 'none',
      color: theme.colors.text.primary,
      font: 'inherit',
      textAlign: 'left',
      textDecoration: `underline dotted ${theme.colors.text.secondary}`,
      textUnderlineOffset: 3,
      '&:hover': { color: theme.colors.text.link },
    }),
    wide: css({ ...small, [NARROW]: { display: 'none' } }),
    narrow: css({ ...small, [WIDE]: { display: 'none' } }),
    divider: css({ '&&': { ...small, paddingTop: theme.spacing(2) } }),
    guide: css(small),
    dim: css({ color: theme.colors.text.secondary }),
    better: css({ ...change, color: theme.colors.success.text }),
    worse: css({ ...change, color: theme.colors.error.text }),
  };
};

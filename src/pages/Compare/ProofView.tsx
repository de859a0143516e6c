import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';

import { SideMark } from '../../components/charts/SideMark';
import { ROLES } from '../../components/charts/sides';
import { ProofDrawer } from '../../components/ProofDrawer/ProofDrawer';
import { reasonText } from '../../format/reason';
import type { Comparison, Row } from '../../types/generated';
import { openProof } from './proofs';

interface Props {
  comparison: Comparison;
  open: string;
  datasourceUid: string;
  onOpen: (ref: string) => void;
}

/** The drawer with the proof that the address names, if it names one. */
export function ProofView({ comparison, open, datasourceUid, onOpen }: Props) {
  const opened = openProof(comparison, open, datasourceUid);
  if (!opened) {
    return null;
  }
  return (
    <ProofDrawer
      title={opened.title}
      subtitle={opened.subtitle}
      proofs={opened.proofs}
      empty={opened.row && <WithoutQuery comparison={comparison} row={opened.row} onOpen={onOpen} />}
      onClose={() => onOpen('')}
    >
      {opened.row && <Figures row={opened.row} />}
    </ProofDrawer>
  );
}

/** The figures that are proved, with what the guide's query gives beside what was measured exactly. */
function Figures({ row }: { row: Row }) {
  const styles = useStyles2(getStyles);
  const asked = ROLES.some((role) => row[role].queryIds.length > 0);
  return (
    <dl className={styles.figures}>
      {ROLES.map((role) => {
        const cell = row[role];
        return (
          <div key={role}>
            <dt>
              <SideMark role={role} /> {role}
            </dt>
            <dd>
              <span className={styles.figure}>{cell.text}</span>
              {cell.value === null && <span className={styles.note}>{reasonText(cell.reasons?.value)}</span>}
              {cell.guide && cell.guide !== cell.text && (
                <span className={styles.note}>the guide’s PromQL says {cell.guide}</span>
              )}
              {asked && cell.value !== null && cell.queryIds.length === 0 && (
                <span className={styles.note}>no query of its own; computed from: {row.bounds}</span>
              )}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>Change</dt>
        <dd>
          <span className={styles.figure}>{row.change}</span>
          {(row.direction === 'better' || row.direction === 'worse') && (
            <span className={styles.note}>{row.direction}</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Says what a figure is computed from for which no single query was sent, and leads to all that were. */
function WithoutQuery({
  comparison,
  row,
  onOpen,
}: {
  comparison: Comparison;
  row: Row;
  onOpen: (ref: string) => void;
}) {
  const styles = useStyles2(getStyles);
  const asked = ROLES.filter((role) => comparison.sides[role].queries.length > 0);
  return (
    <div className={styles.empty}>
      <span>
        No single query gives this figure. It is computed from: {row.bounds || 'the replay’s own files'}
        {row.bounds.endsWith('.') ? '' : '.'}
      </span>
      {asked.map((role) => (
        <Button key={role} size="sm" variant="secondary" onClick={() => onOpen(`queries:${role}`)}>
          Every question asked for the {role}
        </Button>
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  figures: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(1, 4),
    margin: 0,
    dt: {
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(0.75),
      color: theme.colors.text.secondary,
      ...theme.typography.bodySmall,
    },
    dd: { display: 'flex', flexDirection: 'column', margin: 0 },
  }),
  figure: css({ fontVariantNumeric: 'tabular-nums', ...theme.typography.h4 }),
  note: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  empty: css({ display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: theme.spacing(1) }),
});

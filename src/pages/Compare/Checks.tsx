import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { Revealed } from '../../components/Revealed/Revealed';
import { ROLES } from '../../components/charts/sides';
import { formatCount, formatSeconds } from '../../format/number';
import type { Comparison, EvidenceGate } from '../../types/generated';
import { gateRows } from './gates';
import { PlainTable } from './PlainTable';
import { ProofLink } from './ProofLink';
import type { CompareState } from './state';

interface Props {
  comparison: Comparison;
  open: string;
  onOpen: (change: Partial<CompareState>) => void;
}

const GATE_ICONS: Record<string, IconName> = {
  passed: 'check',
  failed: 'times-circle',
  noted: 'info-circle',
  'not evaluated': 'question-circle',
};

/** The checks before the answers, how well the runs were watched, and what repeats and tests add. */
export function Checks({ comparison, open, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const rows = gateRows(comparison);
  return (
    <div className={styles.tab}>
      {rows.length > 0 ? (
        <PlainTable
          caption="Checks before the answers"
          head={['Check', ...ROLES]}
          rows={rows.map((row) => ({
            key: row.code,
            revealed: ROLES.some((role) => open === `gate:${role}:${row.code}`),
            cells: [`${row.code} ${row.name}`, ...ROLES.map((role) => <GateCell key={role} gate={row[role]} />)],
          }))}
        />
      ) : (
        <p className={styles.note}>No checks could be made, because no metrics were asked for.</p>
      )}
      <h3 className={styles.heading}>How well the runs were watched</h3>
      <PlainTable
        caption="Coverage of the metrics"
        head={['Coverage', ...ROLES]}
        rows={[
          fact('Requests', comparison, (side) => side.metrics.reconciliation.text),
          fact('Scrapes', comparison, ({ metrics: { coverage } }) =>
            coverage.scrapesExpected > 0
              ? `${formatCount(coverage.scrapesSeen)} of ${formatCount(coverage.scrapesExpected)}, every ${formatSeconds(coverage.intervalSeconds)}`
              : 'none'
          ),
          fact('Targets', comparison, ({ metrics: { coverage } }) =>
            coverage.targets.map((target) => target.instance).join(', ')
          ),
          fact('Server', comparison, (side) => side.metrics.server),
          fact('Window', comparison, (side) => side.window?.notes?.join('; ') || side.window?.source),
        ]}
      />
      <div className={styles.links}>
        {ROLES.map((role) => (
          <ProofLink key={role} comparison={comparison} proof={`queries:${role}`} onOpen={onOpen} />
        ))}
      </div>
      <h3 className={styles.heading}>Noise and tests</h3>
      <Revealed as="div" when={open === 'repeats'}>
        {comparison.repeats ? comparison.repeats.text : 'One run per side: there is no noise floor to measure against.'}
      </Revealed>
      {comparison.tests.length > 0 && (
        <ul className={styles.list}>
          {comparison.tests.map((test) => (
            <li key={test.name}>
              {test.name}: {test.text}
            </li>
          ))}
        </ul>
      )}
      <Problems comparison={comparison} />
    </div>
  );
}

function fact(
  name: string,
  comparison: Comparison,
  text: (side: Comparison['sides']['baseline']) => string | undefined
) {
  return { key: name, cells: [name, ...ROLES.map((role) => text(comparison.sides[role]) || 'not known')] };
}

function GateCell({ gate }: { gate: EvidenceGate | undefined }) {
  const styles = useStyles2(getStyles);
  if (!gate) {
    return <span className={styles.note}>not evaluated</span>;
  }
  const tone = gate.state === 'passed' ? styles.passed : gate.state === 'failed' ? styles.failed : styles.noted;
  return (
    <div className={styles.gate}>
      <Icon name={GATE_ICONS[gate.state] ?? 'question-circle'} className={tone} aria-hidden />
      <div>
        <span className={tone}>{gate.state}</span>: {gate.detail}
        {gate.next && <div className={styles.note}>Next step: {gate.next}</div>}
      </div>
    </div>
  );
}

/** What could not be read of the sides' files. */
function Problems({ comparison }: { comparison: Comparison }) {
  const styles = useStyles2(getStyles);
  const problems = ROLES.flatMap((role) => comparison.sides[role].problems.map((problem) => ({ role, problem })));
  if (problems.length === 0) {
    return null;
  }
  return (
    <>
      <h3 className={styles.heading}>Problems in the files</h3>
      <ul className={styles.list}>
        {problems.map(({ role, problem }) => (
          <li key={`${role} ${problem.code} ${problem.path}`}>
            {role}: {problem.message} <code>{problem.path}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tab: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), minWidth: 0 }),
  heading: css({ margin: 0, ...theme.typography.h6 }),
  note: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  gate: css({ display: 'flex', gap: theme.spacing(0.75), minWidth: 0, overflowWrap: 'anywhere' }),
  passed: css({ color: theme.colors.success.text, flexShrink: 0 }),
  failed: css({ color: theme.colors.error.text, flexShrink: 0 }),
  noted: css({ color: theme.colors.warning.text, flexShrink: 0 }),
  links: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2) }),
  list: css({ margin: 0, paddingLeft: theme.spacing(2.5) }),
});

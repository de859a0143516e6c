import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { Section } from '../../components/Section/Section';
import { DASH, formatCount, formatNumber, formatRate, formatSeconds, plural } from '../../format/number';
import { wholeMs } from '../wholeMs';
import type { EvidenceFunctional, EvidenceLoad, EvidenceReasons, EvidenceSide } from '../../types/generated';
import { Fact, Facts } from './Facts';

type Write = (value: number) => string;

/** A figure of a run, or the reason why there is none. */
function known(
  label: string,
  value: number | null,
  write: Write,
  reasons: EvidenceReasons | undefined,
  name: string
): Fact {
  return { label, value: <Figure text={value === null ? null : write(value)} reason={reasons?.[name]} /> };
}

const HARNESS: Record<string, string> = {
  true: 'was the limit, not the service',
  false: 'was not the limit',
};

function loadFacts(load: EvidenceLoad): Fact[] {
  const of = (label: string, name: keyof EvidenceLoad & string, write: Write) => {
    const value = load[name];
    return known(label, typeof value === 'number' ? value : null, write, load.reasons, name);
  };
  return [
    of('Requests', 'requests', formatCount),
    of('Failed', 'failed', formatCount),
    of('p50', 'p50Ms', wholeMs),
    of('p90', 'p90Ms', wholeMs),
    of('p95', 'p95Ms', wholeMs),
    of('p99', 'p99Ms', wholeMs),
    of('Mean', 'avgMs', wholeMs),
    of('Least', 'minMs', wholeMs),
    of('Most', 'maxMs', wholeMs),
    of('Throughput', 'requestsPerSecond', formatRate),
    of('Active time', 'activeSeconds', formatSeconds),
    of('Idle in window', 'paddingSeconds', formatSeconds),
    {
      label: 'Harness',
      value: (
        <Figure
          text={load.harnessBound === null ? null : (HARNESS[String(load.harnessBound)] ?? '')}
          reason={load.reasons?.harnessBound}
        />
      ),
    },
  ];
}

function functionalFacts(run: EvidenceFunctional): Fact[] {
  const expected =
    run.pairsExpected === null ? 'the result does not say of how many' : `of ${formatCount(run.pairsExpected)}`;
  return [
    known('Requests', run.requests, formatCount, run.reasons, 'requests'),
    known('Failed', run.failed, formatCount, run.reasons, 'failed'),
    known('Match', run.matchPct, (value) => `${formatNumber(value)}\u00a0%`, run.reasons, 'matchPct'),
    known('Mean', run.avgMs, wholeMs, run.reasons, 'avgMs'),
    { label: 'Pairs read', value: formatCount(run.pairsRead), note: expected },
    known('Mismatches in the verdict file', run.verdictMismatches, formatCount, run.reasons, 'verdictMismatches'),
  ];
}

/** What the replay says of itself, in whole milliseconds. */
export function ReplayFigures({ side }: { side: EvidenceSide }) {
  const styles = useStyles2(getStyles);
  const { load, functional, repeats } = side;
  return (
    <Section title="The replay’s own figures" subtitle="latencies are whole milliseconds as proxymock states them">
      {load ? (
        <div>
          <h3 className={styles.kind}>
            Load run <span className={styles.dim}>{load.runId}</span>
          </h3>
          <Facts facts={loadFacts(load)} />
          {load.gateFailed && <p className={styles.warning}>The run’s own gate (--fail-if) tripped.</p>}
          {load.harnessNotes.map((note) => (
            <p key={note} className={styles.dim}>
              {note}
            </p>
          ))}
          {repeats.length > 1 && (
            <p className={styles.dim}>
              The newest of {plural(repeats.length, 'load run')} of this side; p95 of all, oldest first:{' '}
              {repeats.map((run) => (run.p95Ms === null ? DASH : wholeMs(run.p95Ms))).join(', ')}.
            </p>
          )}
        </div>
      ) : (
        <p className={styles.dim}>This side holds no load run: there are no percentiles under load.</p>
      )}
      {functional ? (
        <div>
          <h3 className={styles.kind}>
            Functional run <span className={styles.dim}>{functional.runId}</span>
          </h3>
          <Facts facts={functionalFacts(functional)} />
          {functional.gateFailed && <p className={styles.warning}>The run’s own gate (--fail-if) tripped.</p>}
        </div>
      ) : (
        <p className={styles.dim}>This side holds no functional run: nobody scored its answers.</p>
      )}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  kind: css({ margin: theme.spacing(0, 0, 1), ...theme.typography.h6 }),
  dim: css({
    margin: theme.spacing(1, 0, 0),
    color: theme.colors.text.secondary,
    overflowWrap: 'anywhere',
    ...theme.typography.bodySmall,
  }),
  warning: css({ margin: theme.spacing(1, 0, 0), color: theme.colors.warning.text }),
});

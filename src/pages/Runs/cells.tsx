import React, { ReactNode } from 'react';

import { IconName } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { Figure } from '../../components/Figure/Figure';
import { formatCount, formatNumber, formatRate, formatSeconds, plural } from '../../format/number';
import { formatLocal, formatUtc } from '../../format/time';
import type { CatalogWindow, RunRow } from '../../types/generated';
import { uncertainty as offBy, wholeMs } from '../wholeMs';
import { ColumnKey, Entry, failures, holds, runProblems } from './rows';
import { getCellStyles } from './styles';

const KIND_ICONS: Record<string, IconName> = {
  functional: 'check-circle',
  load: 'tachometer-fast',
  recording: 'record-audio',
  mock: 'exchange-alt',
};

/** What a run is, as sign and word. */
export function KindMark({ kind, count = 1 }: { kind: string; count?: number }) {
  const styles = useStyles2(getCellStyles);
  return (
    <span className={styles.kind} title={count > 1 ? plural(count, `${kind} run`) : `${kind} run`}>
      <Icon name={KIND_ICONS[kind] ?? 'question-circle'} size="sm" aria-hidden />
      {kind}
      {count > 1 && <span className={styles.dim}>×{formatCount(count)}</span>}
    </span>
  );
}

/** The start in the user's time zone; UTC of start and end on hover. */
export function WhenCell({ run }: { run: RunRow | null }) {
  const styles = useStyles2(getCellStyles);
  if (!run?.window) {
    return <Figure text={null} reason="no_window" />;
  }
  const { start, end } = run.window;
  return (
    <span title={`${formatUtc(start)} to ${formatUtc(end)}`}>
      <time dateTime={start}>{formatLocal(start)}</time>
      {run.activeSeconds !== null && <span className={styles.second}>{formatSeconds(run.activeSeconds)} active</span>}
    </span>
  );
}

const SOURCE_WORDS: Record<string, string> = {
  'window.json': 'Stated in window.json.',
  pairs: 'From the time and duration of the recorded pairs; there is no window.json.',
  summary:
    'Inferred from the summary and the time its file was written; there is neither window.json nor a timed pair.',
};

/** How a window is known, in sentences. */
export function windowWords(window: CatalogWindow): string {
  const { source, uncertainty, derived = [], notes = [] } = window;
  return [
    SOURCE_WORDS[source] ?? source,
    uncertainty > 0 && `Start and end may be off by ${formatSeconds(uncertainty)}.`,
    derived.length > 0 && `Computed, not stated: ${derived.join(', ')}.`,
    ...notes.map((note) => `${note}.`),
  ]
    .filter(Boolean)
    .join('\n');
}

export function WindowCell({ run }: { run: RunRow | null }) {
  const styles = useStyles2(getCellStyles);
  if (!run?.window) {
    return <Figure text={null} reason="no_window" />;
  }
  const { source, uncertainty } = run.window;
  return (
    <span title={windowWords(run.window)}>
      {source === 'summary' ? 'inferred' : source}
      <span className={styles.second}>{uncertainty > 0 ? offBy(uncertainty) : 'exact'}</span>
    </span>
  );
}

function HarnessCell({ run }: { run: RunRow | null }) {
  const styles = useStyles2(getCellStyles);
  if (!run || run.harnessBound === null) {
    return <Figure text={null} reason={run?.reasons?.harnessBound ?? 'no_run'} />;
  }
  return run.harnessBound ? (
    <span
      className={styles.warning}
      title="The replay says that it, not the service, was the limit: its figures are too low."
    >
      <Icon name="exclamation-triangle" size="sm" aria-hidden /> the limit
    </span>
  ) : (
    <span title="The replay says that it had time to spare: the service set the pace.">not the limit</span>
  );
}

function figure(
  run: RunRow | null,
  name: 'requests' | 'failed' | 'matchPct' | 'p95Ms' | 'requestsPerSecond',
  text: (value: number) => string,
  hint?: string
) {
  const value = run?.[name] ?? null;
  return (
    <Figure text={value === null ? null : text(value)} reason={run ? run.reasons?.[name] : 'no_run'} hint={hint} />
  );
}

const percent = (value: number) => `${formatNumber(value)}\u00a0%`;

function Problems({ list }: { list: Entry['problems'] }) {
  const styles = useStyles2(getCellStyles);
  const [first] = [...list].sort((a, b) => Number(a.note) - Number(b.note));
  if (!first) {
    return <span className={styles.dim}>none</span>;
  }
  return (
    <span
      className={first.note ? styles.note : styles.problem}
      title={list.map((one) => `${one.path}: ${one.message}`).join('\n')}
    >
      <Icon name={first.note ? 'info-circle' : 'exclamation-triangle'} size="sm" aria-hidden />
      <span className={styles.clamp}>
        {first.message}
        {list.length > 1 && ` (and ${formatCount(list.length - 1)} more)`}
      </span>
    </span>
  );
}

const hintOf = (run: RunRow | null) => (run ? `${run.kind} run ${run.path}` : undefined);

/** The cells of one run, below its side. */
export function runCell(column: ColumnKey, run: RunRow): ReactNode {
  switch (column) {
    case 'side':
      return run.path;
    case 'holds':
      return <KindMark kind={run.kind} />;
    case 'when':
      return <WhenCell run={run} />;
    case 'window':
      return <WindowCell run={run} />;
    case 'requests':
      return figure(run, 'requests', formatCount);
    case 'failed':
      return figure(run, 'failed', formatCount);
    case 'match':
      return figure(run, 'matchPct', percent);
    case 'p95':
      return figure(run, 'p95Ms', wholeMs);
    case 'throughput':
      return figure(run, 'requestsPerSecond', formatRate);
    case 'harness':
      return <HarnessCell run={run} />;
    case 'problems':
      return <Problems list={runProblems(run)} />;
  }
}

/** The cells of one side, all but the first; each says on hover which run its figure is from. */
export function sideCell(column: Exclude<ColumnKey, 'side'>, entry: Entry): ReactNode {
  const { main, scored, problems, side } = entry;
  switch (column) {
    case 'holds':
      return side.runs.length === 0 ? <Figure text={null} reason="no_run" /> : <HoldsCell kinds={holds(side)} />;
    case 'requests':
      return figure(main, 'requests', formatCount, hintOf(main));
    case 'failed':
      return <FailuresCell entry={entry} />;
    case 'match':
      return figure(scored, 'matchPct', percent, hintOf(scored));
    case 'p95':
      return figure(main, 'p95Ms', wholeMs, hintOf(main));
    case 'throughput':
      return figure(main, 'requestsPerSecond', formatRate, hintOf(main));
    case 'when':
      return <WhenCell run={main} />;
    case 'window':
      return <WindowCell run={main} />;
    case 'harness':
      return <HarnessCell run={main} />;
    case 'problems':
      return <Problems list={problems} />;
  }
}

function HoldsCell({ kinds }: { kinds: ReturnType<typeof holds> }) {
  const styles = useStyles2(getCellStyles);
  return (
    <span className={styles.kinds}>
      {kinds.map(({ kind, count }) => (
        <KindMark key={kind} kind={kind} count={count} />
      ))}
    </span>
  );
}

function FailuresCell({ entry }: { entry: Entry }) {
  const styles = useStyles2(getCellStyles);
  const { main, scored } = entry;
  const total = failures(entry);
  const lines = [main, scored === main ? null : scored]
    .filter((run) => run !== null)
    .map(
      (run) =>
        `${run.kind}: ${run.failed === null ? 'not reported' : `${formatCount(run.failed)} of ${formatCount(run.requests)}`}`
    );
  return (
    <span className={total ? styles.warning : undefined}>
      <Figure
        text={total === null ? null : formatCount(total)}
        reason={main ? main.reasons?.failed : 'no_run'}
        hint={lines.join('\n')}
      />
    </span>
  );
}

import type { CatalogProblem, RunRow, SideRow } from '../../types/generated';

/** What a side is called where its whole path stands beside: its label, else the name of its directory. */
export const shortName = ({ label, path }: SideRow) => (label === path ? path.replace(/^.*\//, '') : label);

/** What a run is, in the order in which it is shown. */
export const KINDS = ['functional', 'load', 'recording', 'mock', 'unknown'] as const;

/** One line of the table: a side and the runs whose figures stand for it. */
export interface Entry {
  side: SideRow;
  /** The newest load run, else the newest functional run, else the newest run of any kind. */
  main: RunRow | null;
  /** The newest functional run: its match, and failures that the load run's figures would hide. */
  scored: RunRow | null;
  problems: Complaint[];
  /** What the text filter looks through, in lower case. */
  haystack: string;
}

/** One problem in words, with where it was met. */
export interface Complaint {
  path: string;
  message: string;
  /** True for what is odd but harmless. */
  note: boolean;
}

const GATE_FAILED = 'The replay’s own gate (--fail-if) tripped in this run.';

const complaint = ({ path, message, code }: CatalogProblem): Complaint => ({ path, message, note: code === 'note' });

/** A run's problems in words, its tripped gate among them. */
export function runProblems(run: RunRow): Complaint[] {
  const gate = run.gateFailed ? [{ path: run.path, message: GATE_FAILED, note: false }] : [];
  return [...gate, ...run.problems.map(complaint)];
}

const startOf = (run: RunRow) => (run.window ? Date.parse(run.window.start) : -Infinity);

/** The newest of the runs, as the backend measures: one with figures before one without. */
function newest(runs: readonly RunRow[]): RunRow | null {
  const withFigures = runs.filter((run) => run.requests !== null);
  const among = withFigures.length > 0 ? withFigures : runs;
  return among.reduce<RunRow | null>(
    (best, run) => (best === null || startOf(run) >= startOf(best) ? run : best),
    null
  );
}

const ofKind = (side: SideRow, kind: string) => side.runs.filter((run) => run.kind === kind);

/** Puts the sides of an answer into lines of the table. */
export function toEntries(sides: readonly SideRow[]): Entry[] {
  return sides.map((side) => {
    const scored = newest(ofKind(side, 'functional'));
    const problems = [...side.problems.map(complaint), ...side.runs.flatMap(runProblems)];
    const { version, commit, changed } = side.declared ?? {};
    return {
      side,
      main: newest(ofKind(side, 'load')) ?? scored ?? newest(side.runs),
      scored,
      problems,
      haystack: [side.id, side.label, version, commit, changed, ...problems.map((problem) => problem.message)]
        .filter(Boolean)
        .join('\n')
        .toLowerCase(),
    };
  });
}

export interface Filter {
  /** Words that must all occur, in any order. */
  text: string;
  /** Only sides that hold a run of this kind; empty for all. */
  kind: string;
  /** Only sides of this root; empty for all. */
  root: string;
}

export function filterEntries(entries: readonly Entry[], { text, kind, root }: Filter): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(
    ({ side, haystack }) =>
      (root === '' || side.root === root) &&
      (kind === '' || side.runs.some((run) => run.kind === kind)) &&
      words.every((word) => haystack.includes(word))
  );
}

export const COLUMN_KEYS = [
  'side',
  'holds',
  'when',
  'window',
  'requests',
  'failed',
  'match',
  'p95',
  'throughput',
  'harness',
  'problems',
] as const;

export type ColumnKey = (typeof COLUMN_KEYS)[number];

export interface Sort {
  by: ColumnKey;
  descending: boolean;
}

/** Newest first. */
export const DEFAULT_SORT: Sort = { by: 'when', descending: true };

/** Reads "p95" or "-p95"; anything else is the default. */
export function parseSort(text: string | null): Sort {
  const by = COLUMN_KEYS.find((key) => key === text?.replace(/^-/, ''));
  return by && text ? { by, descending: text.startsWith('-') } : DEFAULT_SORT;
}

export const sortText = ({ by, descending }: Sort) => (descending ? `-${by}` : by);

/** Failures of the load run and of the functional run together; null when neither says. */
export function failures({ main, scored }: Entry): number | null {
  if (!main || main.failed === null) {
    return scored?.failed ?? null;
  }
  return main.failed + (scored && scored !== main ? (scored.failed ?? 0) : 0);
}

type SortValue = number | string | null;

/** What each column is sorted by. Null means "not known" and stands last in both directions. */
const VALUES: Record<ColumnKey, (entry: Entry) => SortValue> = {
  side: ({ side }) => side.label.toLowerCase(),
  holds: ({ side }) =>
    side.runs.length === 0 ? null : KINDS.map((kind) => (ofKind(side, kind).length ? '0' : '1')).join(''),
  when: ({ main }) => (main?.window ? Date.parse(main.window.start) : null),
  window: ({ main }) => (main?.window ? main.window.uncertainty : null),
  requests: ({ main }) => main?.requests ?? null,
  failed: failures,
  match: ({ scored }) => scored?.matchPct ?? null,
  p95: ({ main }) => main?.p95Ms ?? null,
  throughput: ({ main }) => main?.requestsPerSecond ?? null,
  harness: ({ main }) => (typeof main?.harnessBound === 'boolean' ? Number(main.harnessBound) : null),
  problems: ({ problems }) => problems.filter((problem) => !problem.note).length,
};

const collator = new Intl.Collator('en-GB', { numeric: true });

export function sortEntries(entries: readonly Entry[], { by, descending }: Sort): Entry[] {
  const sign = descending ? -1 : 1;
  return entries
    .map((entry) => ({ entry, value: VALUES[by](entry) }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) {
        return (
          Number(a.value === null) - Number(b.value === null) || collator.compare(a.entry.side.id, b.entry.side.id)
        );
      }
      const order =
        typeof a.value === 'number' && typeof b.value === 'number'
          ? a.value - b.value
          : collator.compare(String(a.value), String(b.value));
      return sign * order || collator.compare(a.entry.side.id, b.entry.side.id);
    })
    .map(({ entry }) => entry);
}

/** How many runs of each kind a side holds, kinds that it lacks left out. */
export function holds(side: SideRow): Array<{ kind: string; count: number }> {
  const kinds: string[] = [...KINDS];
  for (const run of side.runs) {
    if (!kinds.includes(run.kind)) {
      kinds.push(run.kind);
    }
  }
  return kinds.map((kind) => ({ kind, count: ofKind(side, kind).length })).filter(({ count }) => count > 0);
}

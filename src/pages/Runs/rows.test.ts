import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { RunRow, SideRow, SidesResponse } from '../../types/generated';
import { COLUMN_KEYS, failures, filterEntries, holds, parseSort, sortEntries, sortText, toEntries } from './rows';

const contract = JSON.parse(
  readFileSync(path.join(__dirname, '../../../pkg/plugin/testdata/contract/sides.json'), 'utf8')
) as SidesResponse;

function run(kind: string, change: Partial<RunRow> = {}): RunRow {
  return {
    id: `lab/${kind}`,
    path: kind,
    kind,
    window: null,
    requests: null,
    failed: null,
    matchPct: null,
    p95Ms: null,
    requestsPerSecond: null,
    activeSeconds: null,
    harnessBound: null,
    gateFailed: false,
    pairFiles: 0,
    problems: [],
    ...change,
  };
}

function side(id: string, runs: RunRow[], change: Partial<SideRow> = {}): SideRow {
  const at = id.indexOf('/');
  return {
    id,
    root: id.slice(0, at),
    path: id.slice(at + 1),
    label: id.slice(at + 1),
    declared: null,
    runs,
    problems: [],
    ...change,
  };
}

const window = (start: string, uncertainty = 0) => ({
  start,
  end: start,
  query_start: start,
  query_end: start,
  window_seconds: 1,
  source: 'window.json',
  uncertainty,
});

const ids = (entries: ReturnType<typeof toEntries>) => entries.map((entry) => entry.side.id);
const all = { text: '', kind: '', root: '' };

describe('which runs stand for a side', () => {
  test('the load run for the figures, the functional run for the match', () => {
    const [, baseline] = toEntries(contract.sides);
    expect(baseline?.main?.kind).toBe('load');
    expect(baseline?.scored?.matchPct).toBe(100);
  });

  test('the newest load run that has figures, not a newer one without', () => {
    const [entry] = toEntries([
      side('lab/a', [
        run('load', { id: 'old', requests: 10, window: window('2026-01-01T00:00:00Z') }),
        run('load', { id: 'new', requests: 12, window: window('2026-01-03T00:00:00Z') }),
        run('load', { id: 'broken', window: window('2026-01-04T00:00:00Z') }),
      ]),
    ]);
    expect(entry?.main?.id).toBe('new');
  });

  test('a side without any run has none', () => {
    expect(toEntries([side('lab/a', [])])[0]?.main).toBeNull();
  });
});

describe('failures', () => {
  const of = (...runs: RunRow[]) => {
    const [entry] = toEntries([side('lab/a', runs)]);
    return entry && failures(entry);
  };
  test('of the functional run are not hidden by a load run without any', () => {
    expect(of(run('load', { failed: 0, requests: 9 }), run('functional', { failed: 2, requests: 3 }))).toBe(2);
  });
  test('of one run are not counted twice', () => {
    expect(of(run('functional', { failed: 2, requests: 3 }))).toBe(2);
  });
  test('that nobody reported are not 0', () => {
    expect(of(run('load'))).toBeNull();
  });
});

describe('sorting', () => {
  const entries = toEntries([
    side('lab/unknown', [run('load')]),
    side('lab/run 10', [
      run('load', { requests: 5, p95Ms: 46, harnessBound: true, window: window('2026-01-02T00:00:00Z', 6) }),
    ]),
    side('lab/run 9', [
      run('load', { requests: 50, p95Ms: 173, harnessBound: false, window: window('2026-01-01T00:00:00Z') }),
    ]),
  ]);
  const order = (text: string) => ids(sortEntries(entries, parseSort(text)));

  test.each([
    ['side', ['lab/run 9', 'lab/run 10', 'lab/unknown']],
    ['-side', ['lab/unknown', 'lab/run 10', 'lab/run 9']],
    ['p95', ['lab/run 10', 'lab/run 9', 'lab/unknown']],
    ['-p95', ['lab/run 9', 'lab/run 10', 'lab/unknown']],
    ['-requests', ['lab/run 9', 'lab/run 10', 'lab/unknown']],
    ['when', ['lab/run 9', 'lab/run 10', 'lab/unknown']],
    ['-window', ['lab/run 10', 'lab/run 9', 'lab/unknown']],
    ['-harness', ['lab/run 10', 'lab/run 9', 'lab/unknown']],
  ])('by %s: what is not known stands last in both directions', (text, want) => {
    expect(order(text)).toEqual(want);
  });

  test('every column can be sorted by, and its name survives the address', () => {
    for (const key of COLUMN_KEYS) {
      for (const descending of [true, false]) {
        expect(parseSort(sortText({ by: key, descending }))).toEqual({ by: key, descending });
        expect(sortEntries(entries, { by: key, descending })).toHaveLength(entries.length);
      }
    }
  });

  test('an address with another word sorts as without', () => {
    expect(parseSort('nonsense')).toEqual({ by: 'when', descending: true });
    expect(parseSort(null)).toEqual({ by: 'when', descending: true });
  });
});

describe('filtering', () => {
  const entries = toEntries([
    side('lab/a', [run('load')], { declared: { version: 'v2', changed: 'Pool raised from 2 to 16' } }),
    side('lab/b', [run('functional')], {
      problems: [{ path: 'b', code: 'incomplete', message: 'summary.json is cut short' }],
    }),
    side('other/c', [run('recording')]),
  ]);
  test.each([
    ['words in any order and case', { ...all, text: '16 POOL' }, ['lab/a']],
    ['a version', { ...all, text: 'v2' }, ['lab/a']],
    ['a problem', { ...all, text: 'cut short' }, ['lab/b']],
    ['a kind', { ...all, kind: 'recording' }, ['other/c']],
    ['a root', { ...all, root: 'lab' }, ['lab/a', 'lab/b']],
    ['all of them', { text: 'summary', kind: 'functional', root: 'lab' }, ['lab/b']],
    ['nothing', { ...all, text: 'summary nowhere' }, []],
    ['no filter', all, ['lab/a', 'lab/b', 'other/c']],
  ])('by %s', (_name, filter, want) => {
    expect(ids(filterEntries(entries, filter))).toEqual(want);
  });
});

test('what a side holds is counted by kind, an unheard-of kind too', () => {
  expect(holds(side('lab/a', [run('load'), run('load'), run('functional'), run('new kind')]))).toEqual([
    { kind: 'functional', count: 1 },
    { kind: 'load', count: 2 },
    { kind: 'new kind', count: 1 },
  ]);
});

test('a tripped gate is a problem in words; a note is told apart', () => {
  const [entry] = toEntries([
    side('lab/a', [run('load', { gateFailed: true, problems: [{ path: 'p', code: 'note', message: 'odd' }] })]),
  ]);
  expect(entry?.problems.map(({ message, note }) => [message, note])).toEqual([
    ['The replay’s own gate (--fail-if) tripped in this run.', false],
    ['odd', true],
  ]);
});

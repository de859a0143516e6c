import { sorted } from '../../components/SortableTable/sort';
import { timeSpan } from './ComparePage';
import { exploreUrl } from './explore';
import { measured, sides, unmeasured, withStatements } from './fixtures';
import { gateRows, gateSummary } from './gates';
import { search, sideOptions, unlisted } from './Pickers';
import { openPair, openProof, pairRef, proofTarget } from './proofs';
import { readState, writeState } from './state';

describe('the address', () => {
  test('everything that is written is read again', () => {
    const state = {
      baseline: 'lab/a+b',
      candidate: 'lab/ü & c',
      profile: 'checkout',
      tab: 'responses' as const,
      open: 'statement:SELECT ?',
      histogram: 'pricing connection',
      sort: { column: 'p95', descending: true },
    };
    expect(readState(new URLSearchParams(writeState(new URLSearchParams(), state).toString()))).toEqual(state);
  });

  test('defaults and what is empty leave no trace, other parameters stay', () => {
    const before = new URLSearchParams('baseline=a&tab=checks&open=table:x&orgId=2');
    expect(writeState(before, { tab: 'endpoints', open: '', sort: null }).toString()).toBe('baseline=a&orgId=2');
    expect(before.get('tab')).toBe('checks');
  });

  test('a tab that does not exist reads as the first one', () => {
    expect(readState(new URLSearchParams('tab=nowhere')).tab).toBe('endpoints');
  });
});

describe('exploreUrl', () => {
  const question = { promql: 'increase(x_total{a="b"}[10s])', time: '2026-08-13T15:01:33Z', rangeSeconds: 10 };

  test('asks the exact expression over the exact window, evaluated at its end', () => {
    const url = new URL(exploreUrl('prom', [question]) ?? '', 'http://grafana');
    expect(url.pathname).toBe('/explore');
    const panes = JSON.parse(url.searchParams.get('panes') ?? '');
    expect(panes.p0.datasource).toBe('prom');
    expect(panes.p0.queries).toEqual([expect.objectContaining({ expr: question.promql, instant: true, range: false })]);
    const end = Date.parse(question.time);
    expect(panes.p0.range).toEqual({ from: String(end - 10_000), to: String(end) });
  });

  test('two questions stand side by side', () => {
    const url = new URL(exploreUrl('prom', [question, question]) ?? '', 'http://grafana');
    expect(Object.keys(JSON.parse(url.searchParams.get('panes') ?? ''))).toEqual(['p0', 'p1']);
  });

  test('without a data source or a question there is nothing to open', () => {
    expect(exploreUrl('', [question])).toBeUndefined();
    expect(exploreUrl('prom', [])).toBeUndefined();
  });
});

describe('proofs', () => {
  test('a row of the table is proved by the queries of both sides', () => {
    const opened = openProof(measured(), 'table:requestQuantile', 'prom');
    expect(opened?.title).toBe('Prometheus p95 request duration');
    expect(opened?.proofs.map((proof) => [proof.side, proof.query.id])).toEqual([
      // The guide's query first, then the raw samples that the bounds are counted from.
      ...['q1', 'q10', 'q11', 'q13'].map((id) => ['baseline', id]),
      ...['q1', 'q10', 'q11', 'q13'].map((id) => ['candidate', id]),
    ]);
    expect(opened?.proofs[0]?.exploreUrl).toContain('/explore');
  });

  test('one query, and all of a side', () => {
    const comparison = measured();
    expect(openProof(comparison, 'candidate:q3', '')?.proofs.map((proof) => proof.query.name)).toEqual([
      'average cores',
    ]);
    expect(openProof(comparison, 'queries:baseline', '')?.proofs).toHaveLength(
      comparison.sides.baseline.queries.length
    );
  });

  test.each(['', 'table:nothing', 'baseline:q999', 'endpoint:GET /api/quote', 'pair:x', 'file.json'])(
    '%p opens no drawer',
    (ref) => {
      expect(openProof(measured(), ref, 'prom')).toBeNull();
    }
  );

  test('every proof of every finding leads somewhere or names a file', () => {
    for (const comparison of [measured(), unmeasured(), withStatements()]) {
      for (const proof of comparison.findings.flatMap((finding) => finding.proof)) {
        const target = proofTarget(comparison, proof);
        const known =
          /^(table|baseline|candidate|queries|endpoint|endpoints|statement|statements|gate|identity|repeats)(:|$)/;
        // A row that this comparison does not have, as without metrics, is the one exception.
        expect([proof, target !== null || proof.startsWith('table:') || !known.test(proof)]).toEqual([proof, true]);
      }
    }
  });

  test('endpoints and statements stand on their tabs', () => {
    const comparison = withStatements();
    expect(proofTarget(comparison, 'endpoint:GET /orders')).toEqual({ label: 'GET /orders', tab: 'endpoints' });
    const fingerprint = comparison.statements?.changes[0]?.fingerprint ?? '';
    expect(proofTarget(comparison, `statement:${fingerprint}`)?.tab).toBe('statements');
    expect(proofTarget(measured(), 'gate:baseline:G5')).toEqual({ label: 'baseline: G5 count', tab: 'checks' });
  });

  test('a pair is named by its recorded request', () => {
    expect(openPair(pairRef('a-b'))).toBe('a-b');
    expect(openPair('table:a-b')).toBeNull();
  });
});

describe('gates', () => {
  test('all passed', () => {
    expect(gateSummary(measured())).toEqual({ failed: 0, clean: true, text: 'all 18 checks passed' });
    expect(gateRows(measured()).map((row) => row.code)).toEqual(['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7', 'G8', 'G9']);
  });

  test('what failed is counted, and a side without a gate is left open', () => {
    const comparison = measured();
    const [first, ...rest] = comparison.sides.candidate.gates;
    if (!first) {
      throw new Error('the contract file has no gates');
    }
    comparison.sides.candidate.gates = [{ ...first, state: 'failed' }, ...rest.slice(1)];
    expect(gateSummary(comparison)).toEqual({ failed: 1, clean: false, text: '1 check failed' });
    expect(gateRows(comparison)[1]?.candidate).toBeUndefined();
  });
});

test('sorting puts what is not known last in both directions', () => {
  const rows = [{ v: 2 }, { v: null }, { v: 10 }];
  expect(sorted(rows, (row) => row.v, false).map((row) => row.v)).toEqual([2, 10, null]);
  expect(sorted(rows, (row) => row.v, true).map((row) => row.v)).toEqual([10, 2, null]);
  expect(sorted(['b10', 'b9'], (text) => text, false)).toEqual(['b9', 'b10']);
});

describe('the pickers', () => {
  test('find a side by any of its words, in its label, its path or what it holds', () => {
    const options = sideOptions(sides());
    expect(search(options, '').map((option) => option.value)).toEqual(options.map((option) => option.value));
    expect(search(options, 'RESULTS base').map((option) => option.value)).toEqual(['lab/proxymock/results/baseline']);
    expect(search(options, 'recording').map((option) => option.value)).toContain('lab/proxymock/recording');
    expect(search(options, 'nothing like it')).toEqual([]);
  });

  test('take several directories as one side only when they are joined', () => {
    expect(search(sideOptions(sides()), ' a+b ').map((option) => option.value)).toEqual(['a+b']);
  });

  test('tell two sides with the same label apart', () => {
    const found = sides();
    found.sides.forEach((side) => (side.label = 'the same'));
    expect(new Set(sideOptions(found).map((option) => option.label)).size).toBe(found.sides.length);
  });
});

describe('the time of a comparison', () => {
  test('holds both windows with a minute around them', () => {
    const { baseline, candidate } = measured().sides;
    expect(timeSpan(measured())).toEqual({
      from: Date.parse(baseline.window?.start ?? '') - 60_000,
      to: Date.parse(candidate.window?.end ?? '') + 60_000,
    });
  });

  test('is not known without a window', () => {
    const comparison = measured();
    comparison.sides.baseline.window = null;
    comparison.sides.candidate.window = null;
    expect(timeSpan(comparison)).toBeUndefined();
  });
});

test('several directories are chosen under their own names, in short', () => {
  expect(unlisted('lab/results/load+results/statements')?.label).toBe('load + statements');
  expect(unlisted('lab/gone')?.label).toBe('lab/gone');
  expect(unlisted('')).toBeNull();
});

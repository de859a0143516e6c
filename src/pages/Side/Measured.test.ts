import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Comparison, EvidenceSide } from '../../types/generated';
import { measuredLines } from './Measured';

const contract = path.join(__dirname, '../../../pkg/plugin/testdata/contract/comparison.json');
const { baseline } = (JSON.parse(readFileSync(contract, 'utf8')) as Comparison).sides;

const idsOf = (side: EvidenceSide, key: string) => measuredLines(side).find((line) => line.key === key)?.queryIds;

test('every measured figure leads to questions that were asked', () => {
  const asked = new Set(baseline.queries.map(({ id }) => id));
  for (const { key, queryIds } of measuredLines(baseline)) {
    expect([key, queryIds.length > 0, queryIds.every((id) => asked.has(id))]).toEqual([key, true, true]);
  }
});

test('a figure names the guide’s query and the raw samples it is computed from, each once', () => {
  const { metrics } = baseline;
  const [wait] = metrics.waits;
  if (!wait) {
    throw new Error('the fixture has no wait');
  }
  const side = {
    ...baseline,
    metrics: {
      ...metrics,
      requestDuration: {
        ...metrics.requestDuration,
        queryIds: ['r1', 'r2'],
        p95Seconds: { ...metrics.requestDuration.p95Seconds, queryId: 'q1' },
      },
      waits: [{ ...wait, queryIds: ['w1'], p95Seconds: { ...wait.p95Seconds, queryId: 'q2' } }],
      cpu: { ...metrics.cpu, queryId: 'q3', queryIds: ['c1'] },
      errors: { ...metrics.errors, queryId: 'q4', queryIds: ['r2', 'q4'] },
    },
  };
  expect(idsOf(side, 'request quantile')).toEqual(['q1', 'r1', 'r2']);
  expect(idsOf(side, 'request mean')).toEqual(['r1', 'r2']);
  expect(idsOf(side, `wait ${wait.name} quantile`)).toEqual(['q2', 'w1']);
  expect(idsOf(side, `wait ${wait.name} share`)).toEqual(['w1', 'r1', 'r2']);
  expect(idsOf(side, 'cpu request')).toEqual(['c1', 'r1', 'r2']);
  expect(idsOf(side, 'cpu cores')).toEqual(['q3', 'c1']);
  expect(idsOf(side, 'errors')).toEqual(['q4', 'r2']);
});

test('evidence without raw samples has no proof for its exact figures', () => {
  const { metrics } = baseline;
  const older = {
    ...baseline,
    metrics: { ...metrics, cpu: { ...metrics.cpu, queryId: undefined, queryIds: undefined } },
  };
  expect(idsOf(older, 'cpu cores')).toEqual([]);
});

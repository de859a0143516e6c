import type { BoundaryCall, EvidenceSide, SideRow } from '../../types/generated';
import { groupCalls, runsWithPairs } from './boundaryCalls';

const call = (operation: string, status: string, at: string) =>
  ({ operation, status, at, protocol: 'http' }) as BoundaryCall;

test('calls of one operation and status stand together, in the order in which each first occurs', () => {
  const groups = groupCalls([
    call('GET /b', '200', '2026-01-01T00:00:02Z'),
    call('GET /a', '200', '2026-01-01T00:00:01Z'),
    call('GET /b', '500', '2026-01-01T00:00:03Z'),
    call('GET /a', '200', '2026-01-01T00:00:04Z'),
  ]);
  expect(groups.map(({ operation, status, calls }) => [operation, status, calls.length])).toEqual([
    ['GET /a', '200', 2],
    ['GET /b', '200', 1],
    ['GET /b', '500', 1],
  ]);
});

test('the replayed recording comes first, then the side’s own runs that hold pairs', () => {
  const evidence = {
    id: 'lab/a+b',
    recording: { path: 'recording', source: 'recording', inboundPairs: 1 },
  } as EvidenceSide;
  const run = (id: string, kind: string, pairFiles: number) => ({ id, path: id.slice(4), kind, pairFiles });
  const listed = [
    { id: 'lab/a', path: 'a', runs: [run('lab/a/load', 'load', 0), run('lab/a/functional', 'functional', 3)] },
    { id: 'lab/b', path: 'b', runs: [run('lab/b', 'recording', 9)] },
    { id: 'lab/c', path: 'c', runs: [run('lab/c', 'recording', 9)] },
  ] as unknown as SideRow[];
  expect(runsWithPairs(evidence, listed).map(({ value }) => value)).toEqual([
    'lab/recording',
    'lab/b',
    'lab/a/functional',
  ]);
});

import type { BoundaryCall, EvidenceSide, SideRow } from '../../types/generated';
import { includes } from '../Runs/picks';

/** Calls of one operation that ended alike. */
export interface CallGroup {
  key: string;
  operation: string;
  protocol: string;
  status: string;
  calls: BoundaryCall[];
}

/** Puts calls of the same operation and status together, in the order in which each first occurs. */
export function groupCalls(calls: readonly BoundaryCall[]): CallGroup[] {
  const groups = new Map<string, CallGroup>();
  for (const call of [...calls].sort((a, b) => a.at.localeCompare(b.at))) {
    const { operation, protocol, status } = call;
    const key = `${protocol}\n${operation}\n${status}`;
    const group = groups.get(key) ?? { key, operation, protocol, status, calls: [] };
    group.calls.push(call);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export interface RunChoice {
  /** The run's id, root and path. */
  value: string;
  label: string;
  description: string;
}

/** The runs whose pairs can be shown for a side, recordings first: they are the boundary. */
export function runsWithPairs(side: EvidenceSide, listed: readonly SideRow[] | undefined): RunChoice[] {
  const choices = new Map<string, RunChoice>();
  const [root = ''] = side.id.split('/');
  if (side.recording.path) {
    const value = `${root}/${side.recording.path}`;
    choices.set(value, { value, label: side.recording.path, description: 'the recording that was replayed' });
  }
  const own = (listed ?? []).filter((row) => includes(side.id, row)).flatMap((row) => row.runs);
  const order = ['recording', 'functional', 'mock', 'load'];
  for (const run of [...own].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    if (run.pairFiles > 0 && !choices.has(run.id)) {
      choices.set(run.id, { value: run.id, label: run.path, description: `${run.kind} run of this side` });
    }
  }
  return [...choices.values()];
}

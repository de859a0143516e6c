import { ROLES } from '../../components/charts/sides';
import { plural } from '../../format/number';
import type { Comparison, EvidenceGate } from '../../types/generated';

/** One gate in both sides; a side that does not have it holds undefined. */
export interface GateRow {
  code: string;
  name: string;
  baseline?: EvidenceGate;
  candidate?: EvidenceGate;
}

export function gateRows(comparison: Comparison): GateRow[] {
  const rows = new Map<string, GateRow>();
  for (const role of ROLES) {
    for (const gate of comparison.sides[role].gates) {
      const row = rows.get(gate.code) ?? { code: gate.code, name: gate.name };
      row[role] = gate;
      rows.set(gate.code, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.code.localeCompare(b.code, 'en-GB', { numeric: true }));
}

/** All checks of both sides in one sentence. */
export function gateSummary(comparison: Comparison): { failed: number; clean: boolean; text: string } {
  const gates = ROLES.flatMap((role) => comparison.sides[role].gates);
  const count = (state: string) => gates.filter((gate) => gate.state === state).length;
  const [failed, noted, open] = [count('failed'), count('noted'), count('not evaluated')];
  if (gates.length === 0) {
    return { failed, clean: false, text: 'no checks could be made' };
  }
  const parts = [
    failed > 0 && `${plural(failed, 'check')} failed`,
    noted > 0 && `${plural(noted, 'check')} with a note`,
    open > 0 && `${plural(open, 'check')} not evaluated`,
  ].filter(Boolean);
  return {
    failed,
    clean: parts.length === 0,
    text: parts.length > 0 ? parts.join(', ') : `all ${plural(gates.length, 'check')} passed`,
  };
}

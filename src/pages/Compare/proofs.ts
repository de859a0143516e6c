import { Proof } from '../../components/ProofDrawer/ProofDrawer';
import { ROLES, SideRole } from '../../components/charts/sides';
import type { Comparison, Row } from '../../types/generated';
import { exploreUrl } from './explore';
import type { TabName } from './state';

// A proof is named by text such as "table:requestQuantile", "candidate:q3" or "endpoint:GET /orders". The backend writes
// them into findings; the page uses the same words in its address.

/** What the drawer shows for a proof. */
export interface OpenedProof {
  title: string;
  subtitle: string;
  row?: Row;
  proofs: Proof[];
}

const isRole = (text: string): text is SideRole => ROLES.some((role) => role === text);

function cut(ref: string): [string, string] {
  const at = ref.indexOf(':');
  return at < 0 ? [ref, ''] : [ref.slice(0, at), ref.slice(at + 1)];
}

function proofsOf(comparison: Comparison, role: SideRole, ids: readonly string[], datasourceUid: string): Proof[] {
  return comparison.sides[role].queries
    .filter((query) => ids.includes(query.id))
    .map((query) => ({ side: role, query, exploreUrl: exploreUrl(datasourceUid, [query]) }));
}

/** Finds what the drawer has to show, or null when the proof is no figure and no query of this comparison. */
export function openProof(comparison: Comparison, ref: string, datasourceUid: string): OpenedProof | null {
  const [kind, name] = cut(ref);
  if (kind === 'table') {
    const row = comparison.table.find((one) => one.key === name);
    return row
      ? {
          title: row.label,
          subtitle: row.bounds,
          row,
          proofs: ROLES.flatMap((role) => proofsOf(comparison, role, row[role].queryIds, datasourceUid)),
        }
      : null;
  }
  if (kind === 'queries' && isRole(name)) {
    const ids = comparison.sides[name].queries.map((query) => query.id);
    return {
      title: `Every question asked for the ${name}`,
      subtitle: comparison.sides[name].metrics.server ?? '',
      proofs: proofsOf(comparison, name, ids, datasourceUid),
    };
  }
  if (isRole(kind)) {
    const proofs = proofsOf(comparison, kind, [name], datasourceUid);
    return proofs[0] ? { title: proofs[0].query.name, subtitle: `asked for the ${kind}`, proofs } : null;
  }
  return null;
}

/** A proof that can be followed: what it is called and, unless a drawer shows it, on which tab it stands. */
export interface ProofTarget {
  label: string;
  tab?: TabName;
}

/** Where a proof leads, or null for one that is only named, such as a file. */
export function proofTarget(comparison: Comparison, ref: string): ProofTarget | null {
  const [kind, name] = cut(ref);
  switch (kind) {
    case 'table': {
      const row = comparison.table.find((one) => one.key === name);
      return row ? { label: row.label } : null;
    }
    case 'queries':
      return isRole(name) ? { label: `questions asked for the ${name}` } : null;
    case 'endpoints':
      return { label: 'all endpoints', tab: 'endpoints' };
    case 'endpoint':
      return comparison.endpoints.some((one) => one.name === name) ? { label: name, tab: 'endpoints' } : null;
    case 'statements':
      return comparison.statements ? { label: 'statements', tab: 'statements' } : null;
    case 'statement':
      return comparison.statements?.changes.some((one) => one.fingerprint === name)
        ? { label: name.length > 40 ? `${name.slice(0, 40)}…` : name, tab: 'statements' }
        : null;
    case 'gate': {
      const [role, code] = cut(name);
      const gate = isRole(role) ? comparison.sides[role].gates.find((one) => one.code === code) : undefined;
      return gate ? { label: `${role}: ${gate.code} ${gate.name}`, tab: 'checks' } : null;
    }
    case 'repeats':
      return comparison.repeats ? { label: 'repeats', tab: 'checks' } : null;
    case 'identity': {
      const item = comparison.identity.find((one) => one.code === name);
      return item ? { label: item.name } : null;
    }
    default: {
      const query = isRole(kind) ? comparison.sides[kind].queries.find((one) => one.id === name) : undefined;
      return query ? { label: `${kind}: ${query.name}` } : null;
    }
  }
}

const PAIR = 'pair:';

/** The words under which the responses of one recorded pair are opened. */
export const pairRef = (refUuid: string) => PAIR + refUuid;

/** The recorded pair that is opened, if one is. */
export const openPair = (ref: string) => (ref.startsWith(PAIR) ? ref.slice(PAIR.length) : null);

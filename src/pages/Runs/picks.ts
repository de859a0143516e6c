import type { SideRole } from '../../components/charts/sides';
import type { SideRow } from '../../types/generated';

/** The two sides that are to be compared, as the backend names them; empty while not chosen. */
export type Picks = Record<SideRole, string>;

const other = (role: SideRole): SideRole => (role === 'baseline' ? 'candidate' : 'baseline');

/** Chooses a side; choosing it again takes it back, and a side is never compared with itself. */
export function pick(picks: Picks, role: SideRole, side: SideRow): Picks {
  if (picks[role] === side.id) {
    return { ...picks, [role]: '' };
  }
  const rest = picks[other(role)];
  return role === 'baseline'
    ? { baseline: side.id, candidate: rest === side.id ? '' : rest }
    : { baseline: rest === side.id ? '' : rest, candidate: side.id };
}

/** The directories that a choice consists of, as the paths of a combined side are joined by the backend. */
export function partsOf(ref: string): string[] {
  return ref === '' ? [] : ref.split('+');
}

/** Says whether a choice consists of this side, alone or together with others. */
export function includes(ref: string, side: SideRow): boolean {
  return ref === side.id || partsOf(ref).some((part) => part === side.id || part === side.path);
}

/** The sides that a choice consists of; undefined for one that is no longer there. A plus may be part of a name. */
export function chosenOf(ref: string, sides: readonly SideRow[]): Array<SideRow | undefined> {
  const whole = sides.find((side) => side.id === ref);
  return whole ? [whole] : partsOf(ref).map((part) => sides.find((side) => includes(part, side)));
}

/** Why a side cannot be added to what is chosen; empty when it can. */
export function refusal(picks: Picks, role: SideRole, side: SideRow): string {
  const chosen = picks[role];
  if (chosen === '') {
    return `Choose a ${role} first; then further directories can be added to it.`;
  }
  if (!chosen.startsWith(`${side.root}/`)) {
    return 'Combined directories must lie in the same root.';
  }
  if (side.path.includes('+')) {
    return 'A directory with a plus sign in its name cannot be combined with others.';
  }
  return '';
}

/** Adds a directory to a choice, for results that one side spreads over several; adding it again takes it out. */
export function combine(picks: Picks, role: SideRole, side: SideRow): Picks {
  if (refusal(picks, role, side) !== '') {
    return picks;
  }
  const [first = '', ...further] = partsOf(picks[role]);
  if (first === side.id) {
    return picks;
  }
  const rest = further.includes(side.path) ? further.filter((part) => part !== side.path) : [...further, side.path];
  return { ...picks, [role]: [first, ...rest].join('+') };
}

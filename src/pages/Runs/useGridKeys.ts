import { KeyboardEvent } from 'react';

import type { SideRole } from '../../components/charts/sides';
import type { Entry } from './rows';

const PAGE = 10;

interface Options {
  entries: readonly Entry[];
  /** Index of the row that the keys act on. */
  active: number;
  setActive: (index: number) => void;
  onPick: (role: SideRole, entry: Entry, add: boolean) => void;
  onExpand: (entry: Entry, open: boolean) => void;
  onOpen: (entry: Entry) => void;
  onCompare: () => void;
}

const MOVES: Record<string, (active: number, last: number) => number> = {
  ArrowDown: (active) => active + 1,
  ArrowUp: (active) => active - 1,
  PageDown: (active) => active + PAGE,
  PageUp: (active) => active - PAGE,
  Home: () => 0,
  End: (_, last) => last,
};

/** The keys of the table: arrows move, b and c choose, Enter compares, right and left show and hide runs, o opens. */
export function useGridKeys({ entries, active, setActive, onPick, onExpand, onOpen, onCompare }: Options) {
  return (event: KeyboardEvent<HTMLElement>) => {
    // Keys pressed on a button or a link inside the table are theirs; those of the browser stay the browser's.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const entry = entries[active];
    const move = MOVES[event.key];
    const key = event.key.toLowerCase();
    if (move) {
      setActive(Math.min(entries.length - 1, Math.max(0, move(active, entries.length - 1))));
    } else if (event.key === 'Enter') {
      onCompare();
    } else if (entry && (key === 'b' || key === 'c')) {
      onPick(key === 'b' ? 'baseline' : 'candidate', entry, event.shiftKey);
    } else if (entry && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      onExpand(entry, event.key === 'ArrowRight');
    } else if (entry && key === 'o') {
      onOpen(entry);
    } else {
      return;
    }
    // Grafana listens for single keys on the whole page.
    event.preventDefault();
    event.stopPropagation();
  };
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

import type { Picks } from './picks';
import { Filter, parseSort, Sort, sortText } from './rows';

/** What the page's address holds, so that a filtered list with its choice can be shared. */
interface State {
  filter: Filter;
  sort: Sort;
  picks: Picks;
}

export interface RunsUrl extends State {
  setFilter: (change: Partial<Filter>) => void;
  setSort: (sort: Sort) => void;
  /** Changes the choice; change gets what was chosen last, even when it is not drawn yet. */
  setPicks: (change: (before: Picks) => Picks) => void;
}

function read(params: URLSearchParams): State {
  const of = (name: string) => params.get(name) ?? '';
  return {
    filter: { text: of('q'), kind: of('kind'), root: of('root') },
    sort: parseSort(params.get('sort')),
    picks: { baseline: of('baseline'), candidate: of('candidate') },
  };
}

function write(before: URLSearchParams, { filter, sort, picks }: State): URLSearchParams {
  const next = new URLSearchParams(before);
  const values = { q: filter.text, kind: filter.kind, root: filter.root, ...picks, sort: sortText(sort) };
  for (const [name, value] of Object.entries(values)) {
    // The default order is not worth a word in the address.
    if (value === '' || (name === 'sort' && value === sortText(parseSort(null)))) {
      next.delete(name);
    } else {
      next.set(name, value);
    }
  }
  return next;
}

/**
 * Keeps filter, order and choice in the address. The router may take its time to show a new address, and people type
 * faster; so what was asked for last is kept here, and the address follows.
 */
export function useRunsUrl(): RunsUrl {
  const [params, setParams] = useSearchParams();
  const [state, setState] = useState(() => read(params));
  const latest = useRef(state);
  const address = useRef(params);
  /** Addresses that were written here and have not come back yet. */
  const own = useRef(new Set<string>());

  useEffect(() => {
    const text = params.toString();
    if (text === address.current.toString()) {
      own.current.clear();
    } else if (!own.current.delete(text)) {
      // Somebody else changed it: a link, or a step back.
      address.current = params;
      latest.current = read(params);
      setState(latest.current);
    }
  }, [params]);

  const change = useCallback(
    (part: (before: State) => Partial<State>) => {
      latest.current = { ...latest.current, ...part(latest.current) };
      address.current = write(address.current, latest.current);
      own.current.add(address.current.toString());
      setState(latest.current);
      setParams(address.current, { replace: true });
    },
    [setParams]
  );

  return useMemo(
    () => ({
      ...state,
      setFilter: (values) => change(({ filter }) => ({ filter: { ...filter, ...values } })),
      setSort: (sort) => change(() => ({ sort })),
      setPicks: (decide) => change(({ picks }) => ({ picks: decide(picks) })),
    }),
    [state, change]
  );
}

import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

import type { Picks } from './picks';
import { Filter, parseSort, Sort, sortText } from './rows';

/** What the page's address holds, so that a filtered list with its choice can be shared. */
export interface RunsUrl {
  filter: Filter;
  sort: Sort;
  picks: Picks;
  setFilter: (change: Partial<Filter>) => void;
  setSort: (sort: Sort) => void;
  setPicks: (picks: Picks) => void;
}

export function useRunsUrl(): RunsUrl {
  const [params, setParams] = useSearchParams();

  const change = useCallback(
    (values: Record<string, string>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value === '') {
              next.delete(name);
            } else {
              next.set(name, value);
            }
          }
          return next;
        },
        { replace: true }
      ),
    [setParams]
  );

  return useMemo(() => {
    const of = (name: string) => params.get(name) ?? '';
    return {
      filter: { text: of('q'), kind: of('kind'), root: of('root') },
      sort: parseSort(params.get('sort')),
      picks: { baseline: of('baseline'), candidate: of('candidate') },
      setFilter: ({ text, kind, root }) =>
        change({
          ...(text !== undefined && { q: text }),
          ...(kind !== undefined && { kind }),
          ...(root !== undefined && { root }),
        }),
      setSort: (sort) => change({ sort: sortText(sort) }),
      setPicks: (picks) => change({ ...picks }),
    };
  }, [params, change]);
}

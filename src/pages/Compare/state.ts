import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';

import { parseSort, Sort, writeSort } from '../../components/SortableTable/sort';

export const TABS = ['endpoints', 'responses', 'statements', 'checks'] as const;
export type TabName = (typeof TABS)[number];

/** Everything that the page shows stands in its address, so that an address is all one has to share. */
export interface CompareState {
  baseline: string;
  candidate: string;
  /** Empty means the first configured profile. */
  profile: string;
  tab: TabName;
  /** What is opened or pointed at, in the words of a finding's proof: "table:requestQuantile", "candidate:q3". */
  open: string;
  /** Which histogram is drawn: empty for the request duration, else the name of a wait. */
  histogram: string;
  /** How the endpoints are sorted; null leaves them in the backend's order. */
  sort: Sort | null;
}

const isTab = (text: string | null): text is TabName => TABS.some((tab) => tab === text);

export function readState(params: URLSearchParams): CompareState {
  const tab = params.get('tab');
  return {
    baseline: params.get('baseline') ?? '',
    candidate: params.get('candidate') ?? '',
    profile: params.get('profile') ?? '',
    tab: isTab(tab) ? tab : 'endpoints',
    open: params.get('open') ?? '',
    histogram: params.get('histogram') ?? '',
    sort: parseSort(params.get('sort') ?? ''),
  };
}

/** Writes a change into an address; what is not changed stays, what is empty or the default goes. */
export function writeState(before: URLSearchParams, change: Partial<CompareState>): URLSearchParams {
  const params = new URLSearchParams(before);
  for (const [name, value] of Object.entries(change)) {
    const text = value === null ? '' : typeof value === 'object' ? writeSort(value) : value;
    if (text === '' || (name === 'tab' && text === 'endpoints')) {
      params.delete(name);
    } else {
      params.set(name, text);
    }
  }
  return params;
}

export interface CompareAddress {
  state: CompareState;
  /** Changes the address as a new step of the browser's history. */
  update: (change: Partial<CompareState>) => void;
}

export function useCompareState(): CompareAddress {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => readState(params), [params]);
  const update = useCallback(
    (change: Partial<CompareState>) => setParams((before) => writeState(before, change)),
    [setParams]
  );
  return { state, update };
}

import { useMemo } from 'react';

import { getTemplateSrv } from '@grafana/runtime';
import type { ComboboxOption } from '@grafana/ui';

import { Loaded, useLoad } from '../api/useLoad';
import type { SidesResponse } from '../types/generated';
import type { EvidenceDataSource } from './datasource';
import { ELAPSED_MEASURES, KINDS, TextField } from './types';

type Options = Array<ComboboxOption<string>>;

const MEASURE_WORDS: Record<(typeof ELAPSED_MEASURES)[number], string> = {
  requestsPerSecond: 'Requests per second',
  p95: 'Quantile, upper bound',
  mean: 'Mean request duration',
  waiting: 'Requests waiting',
  cores: 'Cores',
};

export interface Choices {
  /** What each field offers, dashboard variables first. */
  of: (field: TextField) => Options;
  loaded: Loaded<SidesResponse>;
}

/** What the fields of a query can be set to: asked of the data source itself, so that it fits its own settings. */
export function useChoices(source: EvidenceDataSource): Choices {
  const loaded = useLoad(source.uid, () => source.getSides());
  const { data } = loaded;
  const of = useMemo(() => {
    const variables: Options = getTemplateSrv()
      .getVariables()
      .map(({ name }) => ({ value: `$${name}`, description: 'Dashboard variable' }));
    const sides: Options = (data?.sides ?? []).map(({ id, label }) => ({
      value: id,
      description: label === id ? undefined : label,
    }));
    const found: Record<TextField, Options> = {
      root: (data?.roots ?? []).map(({ name }) => ({ value: name })),
      kind: KINDS.map((kind) => ({ value: kind })),
      side: sides,
      baseline: sides,
      candidate: sides,
      profile: (data?.profiles ?? []).map(({ name, requestMetric }) => ({ value: name, description: requestMetric })),
      measure: ELAPSED_MEASURES.map((measure) => ({ value: measure, label: MEASURE_WORDS[measure] })),
    };
    return (field: TextField): Options => [...variables, ...found[field]];
  }, [data]);
  return { of, loaded };
}

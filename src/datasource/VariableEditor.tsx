import React, { useId } from 'react';

import { QueryEditorProps } from '@grafana/data';
import { Combobox, InlineField, Stack } from '@grafana/ui';

import { ProblemView } from '../components/StateViews/StateViews';
import { useToldOnce } from '../components/useToldOnce';
import type { EvidenceDataSource } from './datasource';
import { LABELS } from './labels';
import { TextFields } from './TextFields';
import { EvidenceQuery, EvidenceSettings, EvidenceVariableQuery, VARIABLE_TYPES } from './types';
import { useChoices } from './useChoices';

type Props = QueryEditorProps<EvidenceDataSource, EvidenceQuery, EvidenceSettings, EvidenceVariableQuery>;
type VariableType = (typeof VARIABLE_TYPES)[number];
type VariableField = 'root' | 'kind' | 'side' | 'except' | 'profile';

const TYPES: Array<{ value: VariableType; label: string; description: string }> = [
  { value: 'sides', label: 'Sides', description: 'Sides that can be compared' },
  { value: 'runs', label: 'Runs', description: 'Replays and recordings' },
  { value: 'endpoints', label: 'Endpoints', description: 'Endpoints of one side' },
];

const FIELDS: Record<VariableType, VariableField[]> = {
  sides: ['root', 'kind', 'except'],
  runs: ['root', 'side', 'kind'],
  endpoints: ['side', 'profile'],
};

const VARIABLE_LABELS = {
  root: LABELS.root,
  kind: { ...LABELS.kind, empty: 'Any replay' },
  side: LABELS.side,
  except: {
    label: 'Except',
    empty: 'None left out',
    tooltip: 'A side that is not offered, such as $baseline for the candidate',
  },
  profile: LABELS.profile,
};

/** What a query variable offers: sides, runs or endpoints. */
export function VariableEditor({ datasource, query, onChange }: Props) {
  const id = useId();
  const choices = useChoices(datasource);
  const type = query.queryType ?? 'sides';
  const choose = useToldOnce({ type }, (_, value) => onChange({ refId: query.refId, queryType: value }));
  return (
    <Stack direction="column" gap={0.5}>
      <InlineField label="Values" labelWidth={12} htmlFor={`${id}-type`}>
        <Combobox
          id={`${id}-type`}
          aria-label="Values"
          options={TYPES}
          value={type}
          width={34}
          onChange={({ value }) => choose('type', value)}
        />
      </InlineField>
      <TextFields<VariableField>
        fields={FIELDS[type]}
        labels={type === 'sides' ? VARIABLE_LABELS : { ...VARIABLE_LABELS, kind: LABELS.kind }}
        values={query}
        required={type === 'endpoints' ? ['side'] : []}
        offers={(field) => choices.of(field === 'except' ? 'side' : field)}
        loading={choices.loaded.loading}
        onChange={(field, value) => onChange({ ...query, queryType: type, [field]: value })}
      />
      {choices.loaded.problem && <ProblemView problem={choices.loaded.problem} onRetry={choices.loaded.reload} />}
    </Stack>
  );
}

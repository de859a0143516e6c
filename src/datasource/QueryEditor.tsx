import React, { useId } from 'react';

import { CoreApp, QueryEditorProps } from '@grafana/data';
import { Combobox, InlineField, InlineSwitch, Stack, Text } from '@grafana/ui';

import { ProblemView } from '../components/StateViews/StateViews';
import { useToldOnce } from '../components/useToldOnce';
import type { EvidenceDataSource } from './datasource';
import { LABELS } from './labels';
import { missingOf, NEEDS, ofType } from './needs';
import { TextFields } from './TextFields';
import { EvidenceQuery, EvidenceSettings, QUERY_TYPES, TextField } from './types';
import { useChoices } from './useChoices';

export type EvidenceEditorProps = QueryEditorProps<EvidenceDataSource, EvidenceQuery, EvidenceSettings>;

const TYPES = QUERY_TYPES.map((type) => ({
  value: type,
  label: NEEDS[type].label,
  description: NEEDS[type].description,
}));

export function QueryEditor({ datasource, query: given, onChange, onRunQuery, app }: EvidenceEditorProps) {
  const id = useId();
  const choices = useChoices(datasource);
  // Grafana asks an empty query as the default, so that is what the fields show.
  const query = given.queryType ? given : { ...datasource.getDefaultQuery(app ?? CoreApp.Unknown), ...given };
  const type = query.queryType ?? 'runs';
  const { required, optional, numbers, description } = NEEDS[type];

  const change = (next: EvidenceQuery) => {
    onChange(next);
    // A question that lacks something would only be answered with an error.
    if (missingOf(next).length === 0) {
      onRunQuery();
    }
  };

  const choose = useToldOnce({ type }, (_, value) => change(ofType(query, value)));

  return (
    <Stack direction="column" gap={0.5}>
      <Stack gap={0.5} wrap="wrap" alignItems="flex-start">
        <InlineField label="Query" labelWidth={12} htmlFor={`${id}-type`}>
          <Combobox
            id={`${id}-type`}
            aria-label="Query"
            options={TYPES}
            value={type}
            width={34}
            onChange={({ value }) => choose('type', value)}
          />
        </InlineField>
        <TextFields<TextField>
          fields={[...required, ...optional]}
          labels={type === 'measures' ? { ...LABELS, side: { ...LABELS.side, empty: 'Choose a side' } } : LABELS}
          values={query}
          required={required}
          offers={choices.of}
          loading={choices.loaded.loading}
          onChange={(field, value) => change({ ...query, queryType: type, [field]: value })}
        />
        {numbers && (
          <InlineField
            label="Numbers only"
            labelWidth={18}
            htmlFor={`${id}-numbers`}
            tooltip="One number for each row, in the form that alert rules and Stat panels take"
          >
            <InlineSwitch
              id={`${id}-numbers`}
              value={query.format === 'numbers'}
              onChange={({ currentTarget }) =>
                change({ ...query, queryType: type, format: currentTarget.checked ? 'numbers' : undefined })
              }
            />
          </InlineField>
        )}
      </Stack>
      <Text color="secondary" variant="bodySmall">
        {description}.
      </Text>
      {choices.loaded.problem && <ProblemView problem={choices.loaded.problem} onRetry={choices.loaded.reload} />}
    </Stack>
  );
}

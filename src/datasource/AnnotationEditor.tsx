import React from 'react';

import { Stack, Text } from '@grafana/ui';

import { ProblemView } from '../components/StateViews/StateViews';
import { LABELS } from './labels';
import { NEEDS } from './needs';
import { EvidenceEditorProps } from './QueryEditor';
import { TextFields } from './TextFields';
import { TextField } from './types';
import { useChoices } from './useChoices';

const ANY = 'All sides';
const ANNOTATION_LABELS = {
  ...LABELS,
  baseline: { label: 'Baseline', empty: ANY, tooltip: 'With a candidate, only the runs of these two are drawn' },
  candidate: { label: 'Candidate', empty: ANY },
};

/** Which runs an annotation draws; all of them when nothing is chosen. */
export function AnnotationEditor({ datasource, query, onChange, onRunQuery }: EvidenceEditorProps) {
  const choices = useChoices(datasource);
  return (
    <Stack direction="column" gap={0.5}>
      <Stack gap={0.5} wrap="wrap" alignItems="flex-start">
        <TextFields<TextField>
          fields={NEEDS.windows.optional}
          labels={ANNOTATION_LABELS}
          values={query}
          offers={choices.of}
          loading={choices.loaded.loading}
          onChange={(field, value) => {
            onChange({ ...query, queryType: 'windows', [field]: value });
            onRunQuery();
          }}
        />
      </Stack>
      <Text color="secondary" variant="bodySmall">
        Draws the window of each run that lies in the time range as a region.
      </Text>
      {choices.loaded.problem && <ProblemView problem={choices.loaded.problem} onRetry={choices.loaded.reload} />}
    </Stack>
  );
}

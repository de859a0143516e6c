import React, { useMemo } from 'react';

import { StandardEditorProps } from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';
import { Combobox, ComboboxOption } from '@grafana/ui';

import { getSides } from '../api/resources';
import { useLoad } from '../api/useLoad';
import { ProblemView } from '../components/StateViews/StateViews';
import { useToldOnce } from '../components/useToldOnce';
import { explain } from './choice';
import type { EvidenceOptions } from './options';

/** What the field offers: the sides that the app found, or the names of its profiles. */
export interface PickerSettings {
  offers: 'sides' | 'profiles';
}

/** A panel option that is a side or a profile: one that exists, a dashboard variable, or any other text. */
export function PickerOption({
  id,
  value,
  onChange,
  item,
}: StandardEditorProps<string, PickerSettings, EvidenceOptions>) {
  const offers = item.settings?.offers ?? 'sides';
  const loaded = useLoad('sides', getSides);
  const choose = useToldOnce<{ value?: string }>({ value }, (_, chosen) => onChange(chosen));
  const options = useMemo(() => {
    const variables = getTemplateSrv()
      .getVariables()
      .map(({ name }): ComboboxOption => ({ value: `$${name}`, description: 'Dashboard variable' }));
    const found =
      offers === 'sides'
        ? (loaded.data?.sides ?? []).map((side): ComboboxOption => ({
            value: side.id,
            label: side.id,
            description: side.label,
          }))
        : (loaded.data?.profiles ?? []).map(({ name }): ComboboxOption => ({ value: name }));
    return [...variables, ...found];
  }, [loaded.data, offers]);
  return (
    <>
      <Combobox
        id={id}
        aria-label={item.name}
        options={options}
        value={value || null}
        loading={loaded.loading}
        placeholder={offers === 'sides' ? 'Choose a side or a variable' : 'The first profile'}
        createCustomValue
        isClearable
        onChange={(option) => choose('value', option?.value || undefined)}
      />
      {loaded.problem && <ProblemView problem={explain(loaded.problem)} onRetry={loaded.reload} />}
    </>
  );
}

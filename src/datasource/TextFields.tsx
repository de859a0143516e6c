import React, { useId } from 'react';

import { Combobox, ComboboxOption, InlineField } from '@grafana/ui';

import { useToldOnce } from '../components/useToldOnce';

interface Props<F extends string> {
  fields: readonly F[];
  labels: Record<F, { label: string; empty: string; tooltip?: string }>;
  values: Partial<Record<F, string>>;
  /** Fields without which there is no answer; an empty one is marked. */
  required?: readonly F[];
  offers: (field: F) => Array<ComboboxOption<string>>;
  loading: boolean;
  onChange: (field: F, value: string | undefined) => void;
}

/** Pickers for fields that hold a text: something found, a dashboard variable, or any other text. */
export function TextFields<F extends string>({
  fields,
  labels,
  values,
  required = [],
  offers,
  loading,
  onChange,
}: Props<F>) {
  const id = useId();
  const choose = useToldOnce<Partial<Record<F, string>>>(values, onChange);
  return (
    <>
      {fields.map((field) => {
        const { label, empty, tooltip } = labels[field];
        const missing = required.includes(field) && !values[field];
        return (
          <InlineField
            key={field}
            label={label}
            tooltip={tooltip}
            htmlFor={`${id}-${field}`}
            labelWidth={12}
            invalid={missing}
            error={missing ? `Choose a ${field}` : undefined}
          >
            <Combobox
              id={`${id}-${field}`}
              aria-label={label}
              options={offers(field)}
              value={values[field] || null}
              placeholder={empty}
              loading={loading}
              width={34}
              createCustomValue
              isClearable
              onChange={(option) => choose(field, option?.value || undefined)}
            />
          </InlineField>
        );
      })}
    </>
  );
}

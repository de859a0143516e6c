import React from 'react';

import { Field, Input } from '@grafana/ui';

interface Props {
  id: string;
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  /** What is wrong with the value. */
  fault?: string;
  onChange: (value: string) => void;
}

/** One line of text with its name and what is wrong with it. */
export function TextField({ id, label, description, placeholder, value, fault, onChange }: Props) {
  return (
    <Field label={label} description={description} htmlFor={id} invalid={Boolean(fault)} error={fault}>
      <Input
        id={id}
        width={40}
        autoComplete="off"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

import React from 'react';

import { Field, SecretInput, SecretTextArea } from '@grafana/ui';

import type { SecretDraft } from './settings';

interface Props {
  id: string;
  label: string;
  description?: string;
  secret: SecretDraft;
  onChange: (secret: SecretDraft) => void;
  /** A text of several lines, such as a certificate. */
  multiline?: boolean;
  placeholder?: string;
}

/** A secret: what is stored is never shown, only replaced or taken away. */
export function SecretField({ id, label, description, secret, onChange, multiline, placeholder }: Props) {
  const shared = {
    id,
    placeholder,
    value: secret.value,
    isConfigured: secret.stored,
    onReset: () => onChange({ stored: false, value: '' }),
  };
  return (
    <Field label={label} description={description} htmlFor={id}>
      {multiline ? (
        <SecretTextArea
          {...shared}
          rows={5}
          cols={60}
          onChange={(event) => onChange({ stored: false, value: event.currentTarget.value })}
        />
      ) : (
        <SecretInput
          {...shared}
          width={40}
          autoComplete="off"
          onChange={(event) => onChange({ stored: false, value: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}

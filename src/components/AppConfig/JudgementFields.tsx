import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Field, Input, useStyles2 } from '@grafana/ui';

import { FieldsProps } from './fields';

type Name = 'quantile' | 'tolerancePercent' | 'toleranceMs';

const FIELDS: Array<{ name: Name; label: string; description: string; placeholder: string; suffix?: string }> = [
  { name: 'quantile', label: 'Quantile', description: 'The level that is compared', placeholder: '0.95' },
  {
    name: 'tolerancePercent',
    label: 'Tolerance, relative',
    description: 'A move of the replay’s own percentiles counts only beyond both',
    placeholder: '10',
    suffix: '%',
  },
  {
    name: 'toleranceMs',
    label: 'Tolerance, absolute',
    description: 'They are whole milliseconds',
    placeholder: '2',
    suffix: 'ms',
  },
];

/** What counts as a move. Empty fields keep what each profile says. */
export function JudgementFields({ draft, faults, change }: FieldsProps) {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.line}>
      {FIELDS.map(({ name, label, description, placeholder, suffix }) => (
        <Field
          key={name}
          className={styles.field}
          noMargin
          label={label}
          description={description}
          htmlFor={`judgement-${name}`}
          invalid={Boolean(faults[name])}
          error={faults[name]}
        >
          <Input
            id={`judgement-${name}`}
            inputMode="decimal"
            width={16}
            placeholder={placeholder}
            suffix={suffix}
            value={draft[name]}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
          />
        </Field>
      ))}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: theme.spacing(2) }),
  field: css({ flex: '1 1 180px', maxWidth: 260 }),
});

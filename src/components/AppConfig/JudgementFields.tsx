import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Field, Input, useStyles2 } from '@grafana/ui';

import { FieldsProps } from './fields';

type Name = 'quantile' | 'tolerancePercent' | 'toleranceMs';

const FIELDS: Array<{ name: Name; label: string; placeholder: string; suffix?: string }> = [
  { name: 'quantile', label: 'Quantile', placeholder: '0.95' },
  { name: 'tolerancePercent', label: 'Tolerance, relative', placeholder: '10', suffix: '%' },
  { name: 'toleranceMs', label: 'Tolerance, absolute', placeholder: '2', suffix: 'ms' },
];

/** What counts as a move. Empty fields keep what each profile says. */
export function JudgementFields({ draft, faults, change }: FieldsProps) {
  const styles = useStyles2(getStyles);
  return (
    <>
      <p className={styles.dim}>
        The quantile is the level that is compared. The replay’s own percentiles are whole milliseconds: a move of
        theirs counts only when it is beyond both tolerances.
      </p>
      <div className={styles.line}>
        {FIELDS.map(({ name, label, placeholder, suffix }) => (
          <Field
            key={name}
            className={styles.field}
            noMargin
            label={label}
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
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  line: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: theme.spacing(2) }),
  dim: css({ margin: 0, color: theme.colors.text.secondary }),
  field: css({ flex: '0 1 160px' }),
});

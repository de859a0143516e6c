import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';

import { formatCount, plural } from '../../format/number';
import type { Comparison, ResponseDifference } from '../../types/generated';
import { PlainTable } from './PlainTable';
import { pairRef } from './proofs';

interface Props {
  comparison: Comparison;
  onOpen: (ref: string) => void;
}

/** The words of a kind of difference: "value_changed" reads "value changed". */
export const kindText = (kind: string) => kind.replaceAll('_', ' ');

/** What differed between the responses of the two functional runs, and what was left out of the comparison. */
export function Responses({ comparison, onOpen }: Props) {
  const styles = useStyles2(getStyles);
  const { responses } = comparison;
  return (
    <div className={styles.tab}>
      <p className={styles.text}>{responses.text || responses.state}</p>
      {responses.differences.length > 0 && (
        <PlainTable
          caption="Differences between the responses"
          head={['Endpoint', 'Where', 'What', 'Baseline', 'Candidate', 'Times', '']}
          rows={responses.differences.map((difference) => ({
            key: `${difference.refUuid} ${difference.field}`,
            cells: [
              difference.endpoint,
              <code key="field">{difference.field}</code>,
              kindText(difference.kind),
              <Value key="baseline" text={difference.baseline} />,
              <Value key="candidate" text={difference.candidate} />,
              formatCount(difference.count),
              <OpenPair key="open" difference={difference} onOpen={onOpen} />,
            ],
          }))}
        />
      )}
      {responses.truncated > 0 && (
        <p className={styles.note}>{plural(responses.truncated, 'further difference')} beyond those listed.</p>
      )}
      {responses.differences.some((difference) => difference.masked) && (
        <p className={styles.note}>
          Values are masked, because recorded traffic can hold secrets. Open a pair to compare the responses.
        </p>
      )}
      <h3 className={styles.heading}>Left out of the comparison</h3>
      {responses.ignored.length === 0 ? (
        <p className={styles.note}>No field was ignored.</p>
      ) : (
        <ul className={styles.ignored}>
          {responses.ignored.map((field) => (
            <li key={field.field}>
              <code>{field.field}</code>: {field.reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Value({ text }: { text: string }) {
  const styles = useStyles2(getStyles);
  return text ? <code className={styles.value}>{text}</code> : <span className={styles.note}>nothing</span>;
}

function OpenPair({ difference, onOpen }: { difference: ResponseDifference; onOpen: (ref: string) => void }) {
  return (
    <Button
      size="sm"
      variant="secondary"
      icon="eye"
      aria-label={`Compare the responses of ${difference.endpoint}: ${difference.field}`}
      onClick={() => onOpen(pairRef(difference.refUuid))}
    >
      Open the pair
    </Button>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  tab: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), minWidth: 0 }),
  text: css({ margin: 0 }),
  heading: css({ margin: 0, ...theme.typography.h6 }),
  note: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  value: css({ whiteSpace: 'pre-wrap', overflowWrap: 'break-word' }),
  ignored: css({ margin: 0, paddingLeft: theme.spacing(2.5) }),
});

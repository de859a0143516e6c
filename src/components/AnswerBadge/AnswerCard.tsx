import React, { ReactNode, useId } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { plural } from '../../format/number';
import { testIds } from '../testIds';
import { lookOf, Tone, toneColor } from './answers';

export interface AnswerCardProps {
  /** Behaviour, Speed or Cause. */
  question: string;
  answer: string;
  /** One short sentence. */
  headline: string;
  /** What the answer rests on. */
  basis: string;
  reasons: ReadonlyArray<{ code: string; text: string }>;
  /** The next step; for an inconclusive answer, what would settle it. */
  next: string;
  children?: ReactNode;
}

/** How many reasons stand open, so that three cards fit beside each other above the fold; the first weigh most. */
const SHOWN = 3;

function Reasons({ reasons, className }: Pick<AnswerCardProps, 'reasons'> & { className: string }) {
  return (
    <ul className={className}>
      {reasons.map((reason) => (
        <li key={`${reason.code} ${reason.text}`}>{reason.text}</li>
      ))}
    </ul>
  );
}

/** One of the three answers with its reasons and the next step. */
export function AnswerCard({ question, answer, headline, basis, reasons, next, children }: AnswerCardProps) {
  const look = lookOf(answer);
  const styles = useStyles2(getStyles, look.tone);
  const heading = useId();
  return (
    <section className={styles.card} aria-labelledby={heading} data-testid={testIds.answer(question)}>
      <div className={styles.question}>{question}</div>
      <h2 id={heading} className={styles.answer}>
        <Icon name={look.icon} size="xl" aria-hidden className={styles.icon} />
        <span>
          <span className={styles.srOnly}>{`${question}: ${look.word}. `}</span>
          {headline || look.word}
        </span>
      </h2>
      <Reasons reasons={reasons.slice(0, SHOWN)} className={styles.reasons} />
      {reasons.length > SHOWN && (
        <details className={styles.more}>
          <summary>{plural(reasons.length - SHOWN, 'more reason')}</summary>
          <Reasons reasons={reasons.slice(SHOWN)} className={styles.reasons} />
        </details>
      )}
      {children}
      <div className={styles.foot}>
        {basis && basis !== 'none' && (
          <div>
            <span className={styles.footLabel}>Basis</span> {basis}
          </div>
        )}
        {next && (
          <div>
            <span className={styles.footLabel}>{answer === 'inconclusive' ? 'What would settle it' : 'Next step'}</span>{' '}
            {next}
          </div>
        )}
      </div>
    </section>
  );
}

const getStyles = (theme: GrafanaTheme2, tone: Tone) => {
  const { text, border } = toneColor(theme, tone);
  return {
    card: css({
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(1),
      minWidth: 0,
      padding: theme.spacing(2),
      background: theme.colors.background.primary,
      border: `1px solid ${theme.colors.border.weak}`,
      borderTop: `3px solid ${border}`,
      borderRadius: theme.shape.radius.default,
    }),
    question: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
    answer: css({
      display: 'flex',
      gap: theme.spacing(1),
      margin: 0,
      ...theme.typography.h4,
      overflowWrap: 'anywhere',
    }),
    icon: css({ color: text, flexShrink: 0, marginTop: theme.spacing(0.25) }),
    reasons: css({
      margin: 0,
      paddingLeft: theme.spacing(2.5),
      li: { margin: theme.spacing(0.25, 0) },
    }),
    more: css({
      color: theme.colors.text.secondary,
      ...theme.typography.bodySmall,
      summary: { cursor: 'pointer' },
    }),
    foot: css({
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(0.5),
      marginTop: 'auto',
      color: theme.colors.text.secondary,
      ...theme.typography.bodySmall,
    }),
    footLabel: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
    srOnly: css({
      position: 'absolute',
      width: 1,
      height: 1,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
      whiteSpace: 'nowrap',
    }),
  };
};

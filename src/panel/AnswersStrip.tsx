import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { lookOf, Tone, toneColor } from '../components/AnswerBadge/answers';
import { testIds } from '../components/testIds';
import type { Judgement, Verdict } from '../types/generated';
import type { Detail } from './options';

interface Props {
  verdict: Verdict;
  detail: Detail;
}

/** The three answers side by side, never as one score. */
export function AnswersStrip({ verdict, detail }: Props) {
  const styles = useStyles2(getStrip, detail);
  return (
    <ul className={styles.list}>
      <Answer question="Behaviour" judgement={verdict.behaviour} detail={detail} />
      <Answer question="Speed" judgement={verdict.speed} detail={detail} />
      <Answer question="Cause" judgement={verdict.cause} detail={detail} />
    </ul>
  );
}

/** What a headline says beyond the word that stands above it: "Improved, p95 lower by 100 ms" leaves the second half. */
export function restOf(headline: string, word: string): string {
  const same = headline.toLowerCase().startsWith(word.toLowerCase());
  return same ? headline.slice(word.length).replace(/^[\s,:;.]+/, '') : headline;
}

function Answer({ question, judgement, detail }: { question: string; judgement: Judgement; detail: Detail }) {
  const { answer, headline, basis, next } = judgement;
  const look = lookOf(answer);
  const styles = useStyles2(getStyles, look.tone);
  const rest = restOf(headline, look.word);
  return (
    <li
      className={styles.answer}
      data-testid={testIds.answer(question)}
      title={detail === 'words' ? headline : undefined}
    >
      <span className={styles.question}>{question}</span>
      <span className={styles.word}>
        <Icon name={look.icon} size="lg" aria-hidden className={styles.icon} /> {look.word}
      </span>
      {detail !== 'words' && rest && <span className={styles.headline}>{rest}</span>}
      {detail === 'full' && (
        <span className={styles.foot}>
          {basis && basis !== 'none' && <span>Basis: {basis}. </span>}
          {next && (
            <span>
              {answer === 'inconclusive' ? 'What would settle it' : 'Next step'}: {next}
            </span>
          )}
        </span>
      )}
    </li>
  );
}

const getStrip = (theme: GrafanaTheme2, detail: Detail) => ({
  list: css({
    display: 'grid',
    // Words stand below each other where they do not fit beside each other.
    gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${detail === 'words' ? 104 : 120}px), 1fr))`,
    gap: theme.spacing(detail === 'words' ? 0.5 : 1),
    listStyle: 'none',
  }),
});

const getStyles = (theme: GrafanaTheme2, tone: Tone) => {
  const { text, border } = toneColor(theme, tone);
  return {
    answer: css({
      display: 'flex',
      flexDirection: 'column',
      minWidth: 0,
      padding: theme.spacing(0.25, 1),
      borderLeft: `3px solid ${border}`,
    }),
    question: css({ color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
    word: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.5), ...theme.typography.h5 }),
    icon: css({ color: text, flexShrink: 0 }),
    headline: css({ overflowWrap: 'anywhere' }),
    foot: css({ color: theme.colors.text.secondary, overflowWrap: 'anywhere', ...theme.typography.bodySmall }),
  };
};

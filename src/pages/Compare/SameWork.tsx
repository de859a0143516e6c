import React, { useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2, IconName } from '@grafana/data';
import { Alert, Icon, Tooltip, useStyles2 } from '@grafana/ui';

import { Revealed } from '../../components/Revealed/Revealed';
import { SrOnly } from '../../components/SrOnly/SrOnly';
import type { Comparison, IdentityItem } from '../../types/generated';
import { gateSummary } from './gates';

type Mark = 'same' | 'differs' | 'breaks' | 'unknown';

const LOOK: Record<Mark, { icon: IconName; word: string }> = {
  same: { icon: 'check', word: 'Same' },
  differs: { icon: 'exclamation-triangle', word: 'Differs' },
  breaks: { icon: 'times-circle', word: 'Breaks the comparison' },
  unknown: { icon: 'question-circle', word: 'Not known' },
};

const ORDER: readonly Mark[] = ['breaks', 'differs', 'unknown', 'same'];

/** What a reader asks of two equal sides first; the rest of what is equal is folded away. */
const FIRST = new Set(['recording', 'load_requests', 'endpoint_requests', 'users', 'passes', 'mode', 'reconciliation']);

const markOf = (item: IdentityItem): Mark =>
  item.state === 'same' ? 'same' : item.breaks ? 'breaks' : item.state === 'differs' ? 'differs' : 'unknown';

interface Props {
  comparison: Comparison;
  open: string;
  onOpenChecks: () => void;
}

/** The identity card: did both sides do the same work? What breaks the comparison is said in words first. */
export function SameWork({ comparison, open, onOpenChecks }: Props) {
  const styles = useStyles2(getStyles);
  const items = ORDER.flatMap((mark) => comparison.identity.filter((item) => markOf(item) === mark));
  const breaking = items.filter((item) => markOf(item) === 'breaks');
  const gates = gateSummary(comparison);
  const [all, setAll] = useState(false);
  const folds = (item: IdentityItem) =>
    markOf(item) === 'same' && !FIRST.has(item.code) && open !== `identity:${item.code}`;
  const folded = items.filter(folds);
  const shown = all ? items : items.filter((item) => !folds(item));
  return (
    <section className={styles.strip} aria-label="Same work?">
      {breaking.length > 0 && (
        <Alert severity="error" title="These two sides did not do the same work, so their speed is not compared">
          <ul className={styles.breaking}>
            {breaking.map((item) => (
              <li key={item.code}>
                {item.name}: {item.text}.{item.next && ` Next step: ${item.next}.`}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <ul className={styles.chips}>
        <li className={styles.title}>Same work?</li>
        {shown.map((item) => (
          <Revealed as="li" key={item.code} when={open === `identity:${item.code}`} className={styles.item}>
            <Chip item={item} />
          </Revealed>
        ))}
        {folded.length > 0 && (
          <li className={styles.item}>
            <button type="button" className={styles.chip} aria-expanded={all} onClick={() => setAll(!all)}>
              <Icon name={all ? 'angle-up' : 'check'} size="sm" className={styles.same} aria-hidden />
              {all ? 'show less' : `${folded.length} more, the same on both sides`}
            </button>
          </li>
        )}
        <li className={styles.item}>
          <button type="button" className={styles.chip} onClick={onOpenChecks}>
            <Icon
              name={gates.failed > 0 ? 'exclamation-triangle' : gates.clean ? 'check' : 'info-circle'}
              size="sm"
              className={gates.failed > 0 ? styles.differs : gates.clean ? styles.same : styles.unknown}
            />
            {gates.text}
          </button>
        </li>
      </ul>
    </section>
  );
}

function Chip({ item }: { item: IdentityItem }) {
  const styles = useStyles2(getStyles);
  const mark = markOf(item);
  const { icon, word } = LOOK[mark];
  return (
    <Tooltip
      content={
        <div>
          <strong>
            {item.name}: {word.toLowerCase()}
          </strong>
          <div>baseline: {item.baseline || 'not stated'}</div>
          <div>candidate: {item.candidate || 'not stated'}</div>
          {item.next && <div>Next step: {item.next}</div>}
        </div>
      }
    >
      <button type="button" className={styles.chip}>
        <Icon name={icon} size="sm" className={styles[mark]} aria-hidden />
        <SrOnly>{word}: </SrOnly>
        {item.text}
      </button>
    </Tooltip>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  strip: css({
    minWidth: 0,
    padding: theme.spacing(1.5, 2),
    background: theme.colors.background.primary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.default,
  }),
  title: css({ marginRight: theme.spacing(0.5), ...theme.typography.h5 }),
  breaking: css({ margin: 0, paddingLeft: theme.spacing(2.5) }),
  chips: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1), listStyle: 'none' }),
  item: css({ minWidth: 0 }),
  chip: css({
    display: 'inline-flex',
    alignItems: 'baseline',
    gap: theme.spacing(0.75),
    maxWidth: '100%',
    padding: theme.spacing(0.25, 1),
    textAlign: 'left',
    color: theme.colors.text.primary,
    background: theme.colors.background.secondary,
    border: `1px solid ${theme.colors.border.weak}`,
    borderRadius: theme.shape.radius.pill,
    overflowWrap: 'anywhere',
    ...theme.typography.bodySmall,
    '&:hover': { borderColor: theme.colors.border.strong },
    svg: { alignSelf: 'center' },
  }),
  same: css({ color: theme.colors.success.text, flexShrink: 0 }),
  differs: css({ color: theme.colors.warning.text, flexShrink: 0 }),
  unknown: css({ color: theme.colors.text.secondary, flexShrink: 0 }),
  breaks: css({ color: theme.colors.error.text, flexShrink: 0 }),
});

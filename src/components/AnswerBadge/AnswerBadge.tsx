import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Icon, useStyles2 } from '@grafana/ui';

import { lookOf, Tone, toneColor } from './answers';

interface Props {
  /** One of the words of the three answers. */
  answer: string;
  size?: 'sm' | 'md';
}

/** One answer as sign and word. */
export function AnswerBadge({ answer, size = 'sm' }: Props) {
  const look = lookOf(answer);
  const styles = useStyles2(getStyles, look.tone, size);
  return (
    <span className={styles.badge}>
      <Icon name={look.icon} size={size === 'md' ? 'lg' : 'sm'} aria-hidden />
      {look.word}
    </span>
  );
}

const getStyles = (theme: GrafanaTheme2, tone: Tone, size: 'sm' | 'md') => {
  const { text, border } = toneColor(theme, tone);
  return {
    badge: css({
      display: 'inline-flex',
      alignItems: 'center',
      gap: theme.spacing(0.5),
      padding: theme.spacing(0, 1),
      border: `1px solid ${border}`,
      borderRadius: theme.shape.radius.pill,
      color: text,
      whiteSpace: 'nowrap',
      ...(size === 'md' ? theme.typography.body : theme.typography.bodySmall),
    }),
  };
};

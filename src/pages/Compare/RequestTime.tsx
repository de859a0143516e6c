import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { RequestTimeChart } from '../../components/charts/RequestTimeChart';
import { SideMark } from '../../components/charts/SideMark';
import { ROLES } from '../../components/charts/sides';
import { Section } from '../../components/Section/Section';
import type { Comparison } from '../../types/generated';
import { MissingMetrics } from './Missing';

/** Where one request's time goes, baseline beside candidate, and what limits each side. */
export function RequestTime({ comparison }: { comparison: Comparison }) {
  const styles = useStyles2(getStyles);
  const breakdown = (role: (typeof ROLES)[number]) => comparison.sides[role].metrics.breakdown;
  const missing = ROLES.filter((role) => breakdown(role).totalSeconds === null);
  return (
    <Section title="Where one request’s time goes" subtitle="mean per request, exact; the parts add up">
      {missing.length < ROLES.length && (
        <RequestTimeChart sides={ROLES.map((role) => ({ role, label: role, ...breakdown(role) }))} />
      )}
      {missing.length > 0 && (
        <MissingMetrics comparison={comparison} what="The account of a request’s time" roles={missing} />
      )}
      <dl className={styles.facts}>
        {ROLES.map((role) => (
          <div key={role}>
            <dt>
              <SideMark role={role} /> What limits the {role}
            </dt>
            <dd>{comparison.sides[role].saturation.limitedBy || 'not known'}</dd>
          </div>
        ))}
      </dl>
      <details className={styles.details}>
        <summary>Two witnesses for waiting</summary>
        {ROLES.map((role) => (
          <p key={role}>
            {role}: {breakdown(role).witness || 'no second witness'}
          </p>
        ))}
      </details>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  facts: css({
    display: 'flex',
    flexDirection: 'column',
    gap: theme.spacing(0.75),
    margin: 0,
    ...theme.typography.bodySmall,
    dt: {
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(0.75),
      color: theme.colors.text.secondary,
      fontWeight: theme.typography.fontWeightRegular,
    },
    dd: { margin: 0, overflowWrap: 'anywhere' },
  }),
  details: css({
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
    summary: { cursor: 'pointer' },
    p: { margin: theme.spacing(0.5, 0, 0) },
  }),
});

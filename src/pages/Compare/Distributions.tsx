import React, { useMemo } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { RadioButtonGroup, useStyles2 } from '@grafana/ui';

import { DistributionSide } from '../../components/charts/distribution';
import { DistributionChart } from '../../components/charts/DistributionChart';
import { SideMark } from '../../components/charts/SideMark';
import { ROLES, SideRole } from '../../components/charts/sides';
import { Section } from '../../components/Section/Section';
import { formatCount, formatSeconds } from '../../format/number';
import type { Comparison, EvidenceHistogram } from '../../types/generated';
import { MissingMetrics } from './Missing';

interface Props {
  comparison: Comparison;
  /** Empty for the request duration, else the name of a wait. */
  chosen: string;
  onChoose: (name: string) => void;
}

const REQUEST = 'Request duration';

type Histogram = Pick<EvidenceHistogram, 'buckets' | 'count' | 'meanSeconds' | 'p95Seconds'>;

function histogramOf(comparison: Comparison, role: SideRole, name: string): Histogram | undefined {
  const { requestDuration, waits } = comparison.sides[role].metrics;
  return name ? waits.find((wait) => wait.name === name) : requestDuration;
}

/** The distributions of both sides over each other, for the requests or for one of the waits. */
export function Distributions({ comparison, chosen, onChoose }: Props) {
  const styles = useStyles2(getStyles);
  const waits = [...new Set(ROLES.flatMap((role) => comparison.sides[role].metrics.waits.map((wait) => wait.name)))];
  const name = waits.includes(chosen) ? chosen : '';
  const sides = useMemo(
    () =>
      ROLES.flatMap((role): DistributionSide[] => {
        const histogram = histogramOf(comparison, role, name);
        if (!histogram || histogram.buckets.length === 0) {
          return [];
        }
        const { q, ciLower, ciUpper, lower, upper } = histogram.p95Seconds;
        // The mark is the interval the answer rests on; without one, the bucket that holds the quantile.
        const interval = ciLower === null && ciUpper === null ? { lower, upper } : { lower: ciLower, upper: ciUpper };
        return [{ role, label: role, buckets: histogram.buckets, quantile: { q, ...interval } }];
      }),
    [comparison, name]
  );
  const missing = ROLES.filter((role) => !sides.some((side) => side.role === role));
  const level = `p${Number((comparison.profile.quantile * 100).toPrecision(6))}`;

  return (
    <Section
      title="Latency distribution"
      subtitle={`share of requests per bucket; the bars above mark the ${level} interval`}
      actions={
        waits.length > 0 && (
          <RadioButtonGroup
            size="sm"
            aria-label="Which histogram"
            value={name}
            onChange={onChoose}
            options={[{ label: REQUEST, value: '' }, ...waits.map((wait) => ({ label: `Wait: ${wait}`, value: wait }))]}
          />
        )
      }
    >
      {sides.length > 0 && <DistributionChart sides={sides} />}
      {missing.length > 0 && (
        <MissingMetrics
          comparison={comparison}
          what={name ? `The wait “${name}”` : 'The latency distribution'}
          roles={missing}
        />
      )}
      <ul className={styles.figures}>
        {sides.map(({ role }) => {
          const histogram = histogramOf(comparison, role, name);
          return (
            histogram && (
              <li key={role}>
                <SideMark role={role} /> {role}: {level} {histogram.p95Seconds.text}
                {histogram.p95Seconds.ciText !== histogram.p95Seconds.text &&
                  `, its 95 % interval ${histogram.p95Seconds.ciText}`}
                ; mean {formatSeconds(histogram.meanSeconds)} of {formatCount(histogram.count)}
              </li>
            )
          );
        })}
      </ul>
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  figures: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 3),
    listStyle: 'none',
    fontVariantNumeric: 'tabular-nums',
    ...theme.typography.bodySmall,
  }),
});

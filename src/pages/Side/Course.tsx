import React, { useMemo } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { DistributionChart } from '../../components/charts/DistributionChart';
import { ElapsedStep } from '../../components/charts/elapsed';
import { ElapsedChart } from '../../components/charts/ElapsedChart';
import { RequestTimeChart } from '../../components/charts/RequestTimeChart';
import { Section } from '../../components/Section/Section';
import { formatBucket, formatNumber, formatRate, formatSeconds } from '../../format/number';
import type { EvidenceElapsedPoint, EvidenceSide } from '../../types/generated';

interface Measure {
  title: string;
  format: (value: number | null) => string;
  bounds?: (lower: number | null, upper: number | null) => string;
  step: (point: EvidenceElapsedPoint) => Omit<ElapsedStep, 'seconds'>;
}

const measures = (q: number): Measure[] => [
  { title: 'Requests per second', format: formatRate, step: (point) => ({ value: point.requestsPerSecond }) },
  {
    title: `p${Number((q * 100).toPrecision(6))} request duration, at most`,
    format: formatSeconds,
    bounds: formatBucket,
    // A quantile is a bucket: the line is its upper edge, the band reaches down to the lower one.
    step: (point) => ({ value: point.p95Upper, lower: point.p95Lower, upper: point.p95Upper }),
  },
  { title: 'Requests waiting, mean', format: formatNumber, step: (point) => ({ value: point.waiting }) },
  { title: 'CPU cores', format: formatNumber, step: (point) => ({ value: point.cores }) },
];

/** Where the time of a request goes, how durations are distributed, and how the run went from its start. */
export function Course({ side }: { side: EvidenceSide }) {
  const styles = useStyles2(getStyles);
  const { breakdown, requestDuration, elapsed } = side.metrics;
  const role = 'baseline' as const;
  const distribution = useMemo(() => {
    const { q, lower, upper, ciLower, ciUpper } = requestDuration.p95Seconds;
    const interval = ciLower === null && ciUpper === null ? { lower, upper } : { lower: ciLower, upper: ciUpper };
    return [{ role, label: side.label, buckets: requestDuration.buckets, quantile: { q, ...interval } }];
  }, [requestDuration, side.label]);
  const charts = useMemo(
    () =>
      measures(requestDuration.p95Seconds.q).map((measure) => ({
        ...measure,
        sides: [
          {
            role,
            label: side.label,
            steps: elapsed.map((point) => ({ seconds: point.seconds, ...measure.step(point) })),
          },
        ],
      })),
    [elapsed, requestDuration, side.label]
  );
  if (side.metrics.state !== 'ok') {
    return null;
  }
  return (
    <>
      <div className={styles.columns}>
        <Section title="Where one request’s time goes" subtitle="mean, exact; the parts add up">
          <RequestTimeChart
            sides={[
              {
                role,
                label: side.label,
                totalSeconds: breakdown.totalSeconds,
                parts: breakdown.parts,
                unloadedSeconds: breakdown.unloadedSeconds,
                reasons: breakdown.reasons,
              },
            ]}
          />
          {breakdown.witness && <p className={styles.dim}>Second witness: {breakdown.witness}.</p>}
        </Section>
        <Section title="Latency distribution" subtitle="share of requests per bucket">
          <DistributionChart sides={distribution} />
        </Section>
      </div>
      {elapsed.length > 0 && (
        <Section title="From the start of the run" subtitle="one step per scrape, exact counts between two scrapes">
          <div className={styles.charts}>
            {charts.map(({ title, format, bounds, sides }) => (
              <ElapsedChart
                key={title}
                title={title}
                sides={sides}
                format={format}
                formatBounds={bounds}
                syncKey="replay-evidence-side"
              />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  const grid = (least: number) => ({
    display: 'grid',
    gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${least}px), 1fr))`,
    gap: theme.spacing(2),
  });
  return {
    columns: css({ ...grid(480), alignItems: 'start' }),
    charts: css(grid(420)),
    dim: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
  };
};

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

// There is one side only, so everything is drawn in the colour of a baseline.
const ROLE = 'baseline';

/** Where the time of one request goes, with the second witness. */
export function RequestTime({ side }: { side: EvidenceSide }) {
  const styles = useStyles2(getStyles);
  const { breakdown, state } = side.metrics;
  if (state !== 'ok') {
    return null;
  }
  const { totalSeconds, parts, unloadedSeconds, reasons, witness } = breakdown;
  return (
    <Section title="Where one request’s time goes" subtitle="mean, exact; the parts add up">
      <RequestTimeChart sides={[{ role: ROLE, label: side.label, totalSeconds, parts, unloadedSeconds, reasons }]} />
      {witness && <p className={styles.dim}>Second witness: {witness}.</p>}
    </Section>
  );
}

/** How the durations of the requests are distributed. */
export function Distribution({ side }: { side: EvidenceSide }) {
  const { requestDuration, state } = side.metrics;
  const drawn = useMemo(() => {
    const { q, lower, upper, ciLower, ciUpper } = requestDuration.p95Seconds;
    const interval = ciLower === null && ciUpper === null ? { lower, upper } : { lower: ciLower, upper: ciUpper };
    return [{ role: ROLE, label: side.label, buckets: requestDuration.buckets, quantile: { q, ...interval } } as const];
  }, [requestDuration, side.label]);
  return state !== 'ok' ? null : (
    <Section title="Latency distribution" subtitle="share of requests per bucket">
      <DistributionChart sides={drawn} />
    </Section>
  );
}

/** How the run went over the seconds since its start. */
export function Course({ side }: { side: EvidenceSide }) {
  const styles = useStyles2(getStyles);
  const { requestDuration, elapsed, state } = side.metrics;
  const charts = useMemo(
    () =>
      measures(requestDuration.p95Seconds.q).map((measure) => {
        const steps = elapsed.map((point) => ({ seconds: point.seconds, ...measure.step(point) }));
        return { ...measure, sides: [{ role: ROLE, label: side.label, steps } as const] };
      }),
    [elapsed, requestDuration, side.label]
  );
  return state !== 'ok' || elapsed.length === 0 ? null : (
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
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  charts: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(max(40%, min(100%, 440px)), 1fr))',
    gap: theme.spacing(2),
  }),
  dim: css({ margin: 0, color: theme.colors.text.secondary, ...theme.typography.bodySmall }),
});

import React, { useMemo } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { ElapsedSide, ElapsedStep } from '../../components/charts/elapsed';
import { ElapsedChart } from '../../components/charts/ElapsedChart';
import { ROLES } from '../../components/charts/sides';
import { Section } from '../../components/Section/Section';
import { formatBucket, formatNumber, formatRate, formatSeconds } from '../../format/number';
import type { Comparison, EvidenceElapsedPoint } from '../../types/generated';
import { MissingMetrics } from './Missing';

interface Measure {
  title: string;
  format: (value: number | null) => string;
  formatBounds?: (lower: number | null, upper: number | null) => string;
  step: (point: EvidenceElapsedPoint) => Omit<ElapsedStep, 'seconds'>;
}

const measures = (level: string): Measure[] => [
  { title: 'Requests per second', format: formatRate, step: (point) => ({ value: point.requestsPerSecond }) },
  {
    title: `${level} request duration, at most`,
    format: formatSeconds,
    formatBounds: formatBucket,
    // A quantile is a bucket: the line is its upper edge, the band reaches down to the lower one.
    step: (point) => ({ value: point.p95Upper, lower: point.p95Lower, upper: point.p95Upper }),
  },
  { title: 'Requests waiting, mean', format: formatNumber, step: (point) => ({ value: point.waiting }) },
  { title: 'CPU cores', format: formatNumber, step: (point) => ({ value: point.cores }) },
];

/** The course of both runs over the seconds since each began. */
export function Elapsed({ comparison }: { comparison: Comparison }) {
  const styles = useStyles2(getStyles);
  const charts = useMemo(() => {
    const level = `p${Number((comparison.profile.quantile * 100).toPrecision(6))}`;
    return measures(level).map((measure) => ({
      ...measure,
      sides: ROLES.flatMap((role): ElapsedSide[] => {
        const points = comparison.sides[role].metrics.elapsed;
        return points.length > 0
          ? [{ role, label: role, steps: points.map((point) => ({ seconds: point.seconds, ...measure.step(point) })) }]
          : [];
      }),
    }));
  }, [comparison]);
  const missing = ROLES.filter((role) => comparison.sides[role].metrics.elapsed.length === 0);
  const end = Math.max(
    0,
    ...ROLES.flatMap((role) => comparison.sides[role].metrics.elapsed.map((point) => point.seconds))
  );

  return (
    <Section
      title="From the start of each run"
      subtitle="elapsed time; one step per scrape, exact counts between two scrapes"
    >
      {missing.length < ROLES.length && (
        <div className={styles.grid}>
          {charts.map(({ title, sides, format, formatBounds }) => (
            <ElapsedChart
              key={title}
              title={title}
              sides={sides}
              format={format}
              formatBounds={formatBounds}
              maxSeconds={end}
              syncKey="replay-evidence-compare"
            />
          ))}
        </div>
      )}
      {missing.length > 0 && <MissingMetrics comparison={comparison} what="The course over time" roles={missing} />}
    </Section>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  // Never more than two beside each other: the four charts stay a square.
  grid: css({
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(max(40%, min(100%, 440px)), 1fr))',
    gap: theme.spacing(2, 3),
  }),
});

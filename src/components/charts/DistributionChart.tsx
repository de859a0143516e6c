import React, { useMemo, useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { UPlotChart, useStyles2, useTheme2 } from '@grafana/ui';

import { DASH, formatBucket, formatCount, formatShare } from '../../format/number';
import { testIds } from '../testIds';
import { bucketAt, Distribution, DistributionSide, layOut } from './distribution';
import { distributionConfig } from './distributionConfig';
import { FiguresTable } from './FiguresTable';
import { SideMark } from './SideMark';
import { useElementWidth } from './useElementWidth';

interface Props {
  sides: readonly DistributionSide[];
  height?: number;
}

function columnText(distribution: Distribution, column: number): string {
  return formatBucket(distribution.edges[column], distribution.edges[column + 1] ?? null);
}

/** The shares of both sides' requests per bucket, over each other, with the bucket that holds the quantile marked. */
export function DistributionChart({ sides, height = 260 }: Props) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [column, setColumn] = useState<number | null>(null);
  const distribution = useMemo(() => layOut(sides), [sides]);
  const config = useMemo(() => distributionConfig(theme, distribution, setColumn), [theme, distribution]);
  const data = useMemo((): [number[], ...Array<Array<number | null>>] => {
    const columns = Array.from({ length: distribution.columns }, (_, at) => at);
    return [columns, ...distribution.sides.map((side) => columns.map((at) => bucketAt(side, at)?.share ?? null))];
  }, [distribution]);

  if (distribution.columns === 0) {
    return <p className={styles.readout}>Neither side has observations in this histogram.</p>;
  }
  const label = distribution.sides
    .map(
      (side) =>
        `${side.label}: ${side.buckets.map((b) => `${formatBucket(b.lower, b.upper)} ${formatShare(b.share)}`).join(', ')}`
    )
    .join('. ');

  return (
    <figure className={styles.figure} data-testid={testIds.distribution}>
      <figcaption className={styles.readout}>
        {distribution.sides.map((side) => (
          <span key={side.role} className={styles.key}>
            <SideMark role={side.role} /> {side.label}
            {column !== null && `: ${formatShare(bucketAt(side, column)?.share ?? 0)}`}
          </span>
        ))}
        <span>{column === null ? 'share of requests per bucket' : `in ${columnText(distribution, column)}`}</span>
      </figcaption>
      <div
        ref={ref}
        className={styles.plot}
        style={{ height }}
        role="img"
        aria-label={`Latency distribution. ${label}`}
      >
        {width > 0 && <UPlotChart width={width} height={height} config={config} data={data} />}
      </div>
      <FiguresTable
        caption="Requests per bucket and their share of the side’s requests."
        head={['Bucket', ...distribution.sides.map((side) => side.label)]}
        rows={data[0].map((at) => [
          columnText(distribution, at),
          ...distribution.sides.map((side) => {
            const bucket = bucketAt(side, at);
            return bucket ? `${formatCount(bucket.count)} (${formatShare(bucket.share)})` : DASH;
          }),
        ])}
      />
    </figure>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  figure: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), margin: 0, minWidth: 0 }),
  plot: css({ minWidth: 0, overflow: 'hidden' }),
  readout: css({
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5, 2),
    margin: 0,
    color: theme.colors.text.secondary,
    ...theme.typography.bodySmall,
  }),
  key: css({
    display: 'inline-flex',
    alignItems: 'center',
    gap: theme.spacing(0.75),
    fontVariantNumeric: 'tabular-nums',
  }),
});

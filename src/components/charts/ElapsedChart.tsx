import React, { useMemo, useState } from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { UPlotChart, useStyles2, useTheme2 } from '@grafana/ui';

import { DASH } from '../../format/number';
import { formatElapsed } from '../../format/time';
import { testIds } from '../testIds';
import { alignElapsed, ElapsedSide, ElapsedStep, stepAt } from './elapsed';
import { elapsedConfig } from './elapsedConfig';
import { FiguresTable } from './FiguresTable';
import { SideMark } from './SideMark';
import { useElementWidth } from './useElementWidth';

interface Props {
  /** What is drawn, with its unit in words: "p95 request duration". */
  title: string;
  sides: readonly ElapsedSide[];
  format: (value: number | null) => string;
  /** Writes a step that has bounds; the value alone otherwise. */
  formatBounds?: (lower: number | null, upper: number | null) => string;
  /** End of the axis in seconds; the longest side by default. */
  maxSeconds?: number;
  syncKey?: string;
  height?: number;
}

/** One measure of both sides over the seconds since the start of each run. */
export function ElapsedChart({ title, sides, format, formatBounds, maxSeconds, syncKey, height = 150 }: Props) {
  const theme = useTheme2();
  const styles = useStyles2(getStyles);
  const [ref, width] = useElementWidth<HTMLDivElement>();
  const [cursor, setCursor] = useState<number | null>(null);
  const data = useMemo(() => alignElapsed(sides), [sides]);
  const end = maxSeconds ?? Math.max(0, ...data.columns[0]);
  const config = useMemo(
    () => elapsedConfig(theme, sides, data, { maxSeconds: end, format, syncKey, onCursor: setCursor }),
    [theme, sides, data, end, format, syncKey]
  );
  const write = (step: ElapsedStep | undefined) => {
    if (!step) {
      return DASH;
    }
    const bounded = formatBounds && (step.lower !== undefined || step.upper !== undefined);
    return bounded ? formatBounds(step.lower ?? null, step.upper ?? null) : format(step.value);
  };

  return (
    <figure className={styles.figure} data-testid={testIds.elapsed}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {sides.map((side) => (
          <span key={side.role} className={styles.key}>
            <SideMark role={side.role} /> {side.label}
            {cursor !== null && `: ${write(stepAt(side, cursor))}`}
          </span>
        ))}
        {cursor !== null && <span>at {formatElapsed(cursor)}</span>}
      </figcaption>
      {data.columns[0].length === 0 ? (
        <p className={styles.caption}>No scrapes of these runs carry this measure.</p>
      ) : (
        <>
          <div
            ref={ref}
            className={styles.plot}
            style={{ height }}
            role="img"
            aria-label={`${title} over elapsed time`}
          >
            {width > 0 && <UPlotChart width={width} height={height} config={config} data={data.columns} />}
          </div>
          <FiguresTable
            caption={`${title} per step; the time is the end of the step since the start of the run.`}
            head={['Elapsed', ...sides.map((side) => side.label)]}
            rows={data.columns[0].map((seconds) => [
              formatElapsed(seconds),
              ...sides.map((side) => write(side.steps.find((step) => step.seconds === seconds))),
            ])}
          />
        </>
      )}
    </figure>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  figure: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(0.5), margin: 0, minWidth: 0 }),
  plot: css({ minWidth: 0, overflow: 'hidden' }),
  title: css({ color: theme.colors.text.primary }),
  caption: css({
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

import React from 'react';

import { css, cx } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';

import { formatSeconds, formatShare } from '../../format/number';
import { reasonText } from '../../format/reason';
import { testIds } from '../testIds';
import { FiguresTable } from './FiguresTable';
import { SideMark } from './SideMark';
import { SideRole } from './sides';

/** Where one request's time goes: parts in seconds per request that add up to the total. */
export interface RequestTime {
  role: SideRole;
  label: string;
  /** The mean request duration in seconds; null when it is not known. */
  totalSeconds: number | null;
  parts: ReadonlyArray<{ kind: string; name: string; seconds: number; share: number }>;
  /** The mean of the functional run in seconds, without load. */
  unloadedSeconds: number | null;
  reasons?: Record<string, string>;
}

interface Props {
  sides: readonly RequestTime[];
}

const KIND_WORDS: Record<string, string> = {
  wait: 'Waiting',
  cpu: 'CPU',
  unexplained: 'Not explained by the profile’s metrics',
};

const kindWord = (kind: string) => KIND_WORDS[kind] ?? kind;

/** The length that stands for the full width: the longest total or unloaded mean of all sides, in seconds. */
export function fullWidthSeconds(sides: readonly RequestTime[]): number {
  return Math.max(
    0,
    ...sides.map((side) => side.totalSeconds ?? 0),
    ...sides.map((side) => side.parts.reduce((sum, part) => sum + part.seconds, 0)),
    ...sides.map((side) => side.unloadedSeconds ?? 0)
  );
}

/** The parts of all sides by kind and name, in the order in which they first appear. */
export function partRows(
  sides: readonly RequestTime[]
): Array<{ kind: string; name: string; seconds: Array<number | null> }> {
  const rows = new Map<string, { kind: string; name: string; seconds: Array<number | null> }>();
  sides.forEach((side, index) => {
    for (const part of side.parts) {
      const key = `${part.kind} ${part.name}`;
      const row = rows.get(key) ?? { kind: part.kind, name: part.name, seconds: sides.map(() => null) };
      row.seconds[index] = part.seconds;
      rows.set(key, row);
    }
  });
  return [...rows.values()];
}

/** What all parts of one kind take together. */
function kindText(side: RequestTime, kind: string): string {
  const parts = side.parts.filter((part) => part.kind === kind);
  return formatSeconds(parts.length > 0 ? parts.reduce((sum, part) => sum + part.seconds, 0) : null);
}

/** One bar per side on a common scale, cut into waiting, CPU and what the profile's metrics do not explain. */
export function RequestTimeChart({ sides }: Props) {
  const styles = useStyles2(getStyles);
  const full = fullWidthSeconds(sides);
  const width = (seconds: number) => (full > 0 ? `${(100 * seconds) / full}%` : '0%');
  const kinds = [...new Set(sides.flatMap((side) => side.parts.map((part) => part.kind)))];
  const segment = (kind: string) =>
    cx(styles.segment, kind === 'wait' ? styles.wait : kind === 'cpu' ? styles.cpu : styles.unexplained);

  return (
    <figure className={styles.figure} data-testid={testIds.requestTime}>
      {sides.map((side) => (
        <div key={side.role} className={styles.row}>
          <span className={styles.side}>
            <SideMark role={side.role} /> {side.label}
          </span>
          {side.totalSeconds === null ? (
            <span className={styles.missing}>{reasonText(side.reasons?.totalSeconds)}</span>
          ) : (
            <div
              className={styles.track}
              role="img"
              aria-label={`${side.label}: ${formatSeconds(side.totalSeconds)} per request; ${side.parts
                .map((part) => `${part.name} ${formatSeconds(part.seconds)}`)
                .join(', ')}`}
            >
              {side.parts.map((part) => (
                <div
                  key={`${part.kind} ${part.name}`}
                  className={segment(part.kind)}
                  style={{ width: width(part.seconds) }}
                  title={`${part.name}: ${formatSeconds(part.seconds)}, ${formatShare(part.share)} of the mean`}
                >
                  <span className={cx(styles.segmentText, part.kind === 'unexplained' && styles.unexplainedText)}>
                    {part.name} {formatSeconds(part.seconds)}
                  </span>
                </div>
              ))}
              {side.unloadedSeconds !== null && (
                <div
                  className={styles.floor}
                  style={{ left: width(side.unloadedSeconds) }}
                  title={`Without load: ${formatSeconds(side.unloadedSeconds)}`}
                />
              )}
            </div>
          )}
          <span className={styles.total}>{formatSeconds(side.totalSeconds)}</span>
        </div>
      ))}
      <figcaption className={styles.legend}>
        {kinds.map((kind) => (
          <span key={kind} className={styles.key}>
            <span className={cx(segment(kind), styles.swatch)} aria-hidden /> {kindWord(kind)}{' '}
            <span className={styles.legendFigure}>{sides.map((side) => kindText(side, kind)).join(' → ')}</span>
          </span>
        ))}
        {sides.some((side) => side.unloadedSeconds !== null) && (
          <span className={styles.key}>
            <span className={styles.floorSwatch} aria-hidden /> Without load (functional run){' '}
            <span className={styles.legendFigure}>
              {sides.map((side) => formatSeconds(side.unloadedSeconds)).join(' → ')}
            </span>
          </span>
        )}
      </figcaption>
      <FiguresTable
        caption="Mean seconds per request; the parts add up to the total."
        head={['Part', ...sides.map((side) => side.label)]}
        rows={[
          ...partRows(sides).map((row) => [
            row.name === kindWord(row.kind) ? row.name : `${kindWord(row.kind)}: ${row.name}`,
            ...row.seconds.map(formatSeconds),
          ]),
          ['Total', ...sides.map((side) => formatSeconds(side.totalSeconds))],
        ]}
      />
    </figure>
  );
}

const getStyles = (theme: GrafanaTheme2) => {
  // On dark, the plain colours are too light for the words inside the bars.
  const shade = theme.isDark ? 'semi-dark-' : '';
  const wait = theme.visualization.getColorByName(`${shade}purple`);
  const cpu = theme.visualization.getColorByName(`${shade}red`);
  return {
    figure: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1.5), margin: 0, minWidth: 0 }),
    row: css({
      display: 'grid',
      gridTemplateColumns: 'minmax(80px, max-content) 1fr max-content',
      alignItems: 'center',
      gap: theme.spacing(0.5, 1.5),
      [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr max-content' },
    }),
    side: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.75) }),
    missing: css({ color: theme.colors.text.secondary }),
    track: css({
      position: 'relative',
      display: 'flex',
      height: theme.spacing(5),
      minWidth: 0,
      [theme.breakpoints.down('sm')]: { gridRow: 2, gridColumn: '1 / -1' },
    }),
    segment: css({
      display: 'flex',
      alignItems: 'center',
      overflow: 'hidden',
      minWidth: 2,
      boxShadow: `inset -1px 0 0 ${theme.colors.background.primary}`,
    }),
    // Patterns, not only colours, tell the kinds apart.
    wait: css({ background: wait, color: theme.colors.getContrastText(wait) }),
    cpu: css({
      color: theme.colors.getContrastText(cpu),
      background: `repeating-linear-gradient(90deg, ${cpu} 0 4px, ${theme.colors.emphasize(cpu, 0.25)} 4px 6px)`,
    }),
    unexplained: css({
      color: theme.colors.text.primary,
      background: `repeating-linear-gradient(135deg, ${theme.colors.background.secondary} 0 6px, ${theme.colors.border.medium} 6px 8px)`,
    }),
    unexplainedText: css({ background: theme.colors.background.secondary, borderRadius: theme.shape.radius.default }),
    segmentText: css({
      padding: theme.spacing(0, 0.75),
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      ...theme.typography.bodySmall,
    }),
    floor: css({
      position: 'absolute',
      // Crosses the lower edge only, so that the words in the bar stay readable.
      top: '70%',
      bottom: -6,
      width: 0,
      borderLeft: `2px dashed ${theme.colors.text.primary}`,
    }),
    total: css({ fontVariantNumeric: 'tabular-nums', textAlign: 'right', ...theme.typography.h5 }),
    legendFigure: css({ color: theme.colors.text.primary, fontVariantNumeric: 'tabular-nums' }),
    legend: css({
      display: 'flex',
      flexWrap: 'wrap',
      gap: theme.spacing(0.5, 2),
      color: theme.colors.text.secondary,
      ...theme.typography.bodySmall,
    }),
    key: css({ display: 'inline-flex', alignItems: 'center', gap: theme.spacing(0.75) }),
    swatch: css({ display: 'inline-block', width: 14, height: 12, flexShrink: 0 }),
    floorSwatch: css({
      display: 'inline-block',
      height: 14,
      flexShrink: 0,
      borderLeft: `2px dashed ${theme.colors.text.primary}`,
    }),
  };
};

import { colorManipulator, GrafanaTheme2 } from '@grafana/data';
import {
  AxisPlacement,
  DrawStyle,
  LineInterpolation,
  PointVisibility,
  ScaleDirection,
  ScaleOrientation,
  UPlotConfigBuilder,
} from '@grafana/ui';

import { formatElapsed } from '../../format/time';
import { ElapsedData, ElapsedSide } from './elapsed';
import { sideColor } from './sides';

export interface ElapsedConfigOptions {
  /** End of the axis in seconds; charts that stand below each other share it. */
  maxSeconds: number;
  format: (value: number) => string;
  /** Charts with the same key share their cursor. */
  syncKey?: string;
  onCursor: (seconds: number | null) => void;
}

/** Lines of both sides over elapsed time: the baseline solid, the candidate dashed, bounds as a band behind them. */
export function elapsedConfig(
  theme: GrafanaTheme2,
  sides: readonly ElapsedSide[],
  data: ElapsedData,
  { maxSeconds, format, syncKey, onCursor }: ElapsedConfigOptions
): UPlotConfigBuilder {
  const builder = new UPlotConfigBuilder();
  builder.setCursor({
    drag: { x: false, y: false },
    y: false,
    ...(syncKey && { sync: { key: syncKey, scales: ['x', null] } }),
  });
  builder.addScale({
    scaleKey: 'x',
    isTime: false,
    orientation: ScaleOrientation.Horizontal,
    direction: ScaleDirection.Right,
    range: () => [0, maxSeconds],
  });
  builder.addScale({
    scaleKey: 'y',
    orientation: ScaleOrientation.Vertical,
    direction: ScaleDirection.Up,
    // From zero, so that heights can be compared; a flat zero still gets an axis.
    range: () => [0, data.max > 0 ? data.max * 1.1 : 1],
  });
  builder.addAxis({
    scaleKey: 'x',
    isTime: false,
    placement: AxisPlacement.Bottom,
    theme,
    values: (_plot, splits) => splits.map(formatElapsed),
  });
  builder.addAxis({
    scaleKey: 'y',
    placement: AxisPlacement.Left,
    theme,
    // The same for all, so that charts below each other line up.
    size: 64,
    formatValue: (value: number) => format(value),
  });

  sides.forEach((side, index) => {
    const color = sideColor(theme, side.role);
    const line = (visible: boolean) =>
      builder.addSeries({
        scaleKey: 'y',
        theme,
        drawStyle: DrawStyle.Line,
        lineColor: color,
        lineWidth: visible ? 2 : 0,
        lineInterpolation: LineInterpolation.Linear,
        lineStyle: side.role === 'candidate' ? { fill: 'dash', dash: [6, 4] } : { fill: 'solid' },
        showPoints: visible ? PointVisibility.Auto : PointVisibility.Never,
        pointSize: 5,
        pointColor: color,
        // The two sides have their own scrape times; a gap in the other side's column is not a gap of this one.
        spanNulls: true,
      });
    line(true);
    line(false);
    line(false);
    if (data.bounded[index]) {
      const first = 1 + index * 3;
      builder.addBand({ series: [first + 2, first + 1], fill: colorManipulator.alpha(color, 0.2) });
    }
  });
  builder.addHook('setCursor', (plot) => {
    const { left } = plot.cursor;
    onCursor(left === undefined || left < 0 ? null : plot.posToVal(left, 'x'));
  });
  return builder;
}

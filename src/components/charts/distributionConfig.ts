import { GrafanaTheme2 } from '@grafana/data';
import { AxisPlacement, DrawStyle, ScaleDirection, ScaleOrientation, UPlotConfigBuilder } from '@grafana/ui';

import { formatEdge, formatShare } from '../../format/number';
import { Distribution, PlacedSide } from './distribution';
import { sideColor } from './sides';

const MARK_ROW = 16;

/** Where a hatch is drawn, in canvas pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function hatch(ctx: CanvasRenderingContext2D, { x, y, width, height }: Box, color: string, ratio: number) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  const gap = 6 * ratio;
  for (let start = x - height; start < x + width; start += gap) {
    ctx.moveTo(start, y + height);
    ctx.lineTo(start + height, y);
  }
  ctx.stroke();
  ctx.restore();
}

/**
 * Draws the bars of both sides over each other. The baseline is a filled area, the candidate a hatched outline, so that
 * they are told apart without colour and one never hides the other. The quantile's bucket is a bracket above the plot.
 *
 * @param onColumn is called with the column below the pointer, or null
 */
export function distributionConfig(
  theme: GrafanaTheme2,
  distribution: Distribution,
  onColumn: (column: number | null) => void
): UPlotConfigBuilder {
  const builder = new UPlotConfigBuilder();
  const { edges, columns, open, maxShare } = distribution;
  const marked = distribution.sides.filter((side) => side.quantile !== null);

  // On the right there is room for half of the last label.
  builder.setPadding([8 + MARK_ROW * marked.length, 28, 0, 0]);
  builder.setCursor({ drag: { x: false, y: false }, points: { show: false }, y: false });
  builder.addScale({
    scaleKey: 'x',
    isTime: false,
    orientation: ScaleOrientation.Horizontal,
    direction: ScaleDirection.Right,
    range: () => [0, columns],
  });
  builder.addScale({
    scaleKey: 'share',
    orientation: ScaleOrientation.Vertical,
    direction: ScaleDirection.Up,
    range: () => [0, maxShare * 1.05],
  });
  builder.addAxis({
    scaleKey: 'x',
    isTime: false,
    placement: AxisPlacement.Bottom,
    theme,
    splits: () => Array.from({ length: columns + 1 }, (_, column) => column),
    values: (plot, splits) => {
      // Room for about one label per 56 pixels; every second, third … label otherwise.
      const every = Math.max(1, Math.ceil((56 * columns) / Math.max(1, plot.bbox.width / devicePixelRatio)));
      return splits.map((column, index) => {
        if (open && column === columns) {
          return '∞';
        }
        const value = edges[column];
        return value === undefined || index % every !== 0 ? '' : value === 0 ? '0' : formatEdge(value);
      });
    },
  });
  builder.addAxis({
    scaleKey: 'share',
    placement: AxisPlacement.Left,
    theme,
    formatValue: (share: number) => formatShare(share),
  });
  for (const side of distribution.sides) {
    builder.addSeries({
      scaleKey: 'share',
      theme,
      drawStyle: DrawStyle.Bars,
      lineColor: sideColor(theme, side.role),
      // The bars are drawn below: their widths differ, and the two sides need different patterns.
      pathBuilder: () => null,
      pointsBuilder: () => false,
    });
  }
  builder.addHook('draw', (plot) => {
    distribution.sides.forEach((side) => drawSide(plot, theme, side));
    marked.forEach((side, row) => drawMark(plot, theme, side, row));
  });
  builder.addHook('setCursor', (plot) => {
    const { left } = plot.cursor;
    if (left === undefined || left < 0) {
      onColumn(null);
      return;
    }
    onColumn(Math.min(columns - 1, Math.max(0, Math.floor(plot.posToVal(left, 'x')))));
  });
  return builder;
}

function drawSide(plot: uPlot, theme: GrafanaTheme2, side: PlacedSide) {
  const { ctx } = plot;
  const color = sideColor(theme, side.role);
  const base = plot.valToPos(0, 'share', true);
  ctx.save();
  for (const bucket of side.buckets) {
    const x = plot.valToPos(bucket.from, 'x', true) + devicePixelRatio;
    const width = plot.valToPos(bucket.to, 'x', true) - x - devicePixelRatio;
    const y = plot.valToPos(bucket.share, 'share', true);
    const box = { x, y, width, height: base - y };
    if (side.role === 'baseline') {
      ctx.fillStyle = color;
      ctx.globalAlpha = 0.6;
      ctx.fillRect(box.x, box.y, box.width, box.height);
    } else {
      ctx.globalAlpha = 0.18;
      ctx.fillStyle = color;
      ctx.fillRect(box.x, box.y, box.width, box.height);
      ctx.globalAlpha = 1;
      hatch(ctx, box, color, devicePixelRatio);
    }
    ctx.globalAlpha = 1;
    ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.strokeRect(box.x, box.y, box.width, box.height);
  }
  ctx.restore();
}

function drawMark(plot: uPlot, theme: GrafanaTheme2, side: PlacedSide, row: number) {
  if (!side.quantile) {
    return;
  }
  const { ctx } = plot;
  const color = sideColor(theme, side.role);
  const from = plot.valToPos(side.quantile.from, 'x', true);
  const to = plot.valToPos(side.quantile.to, 'x', true);
  const y = plot.bbox.top - (4 + MARK_ROW * row + MARK_ROW / 2) * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = color;
  ctx.fillRect(from, y, to - from, 4 * devicePixelRatio);
  ctx.fillStyle = theme.colors.text.secondary;
  ctx.font = `${11 * devicePixelRatio}px ${theme.typography.fontFamily}`;
  ctx.textBaseline = 'middle';
  const words = `p${Number((side.quantile.q * 100).toPrecision(6))} ${side.label}`;
  const room = 6 * devicePixelRatio;
  const fitsRight = to + room + ctx.measureText(words).width <= plot.bbox.left + plot.bbox.width;
  ctx.textAlign = fitsRight ? 'left' : 'right';
  ctx.fillText(words, fitsRight ? to + room : from - room, y + 2 * devicePixelRatio);
  ctx.restore();
}

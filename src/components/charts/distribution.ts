import { SideRole } from './sides';

/** One bucket (lower, upper] in seconds with its share of the side's requests; the highest has no upper edge. */
export interface DistributionBucket {
  lower: number;
  upper: number | null;
  count: number;
  /** 0..1 */
  share: number;
}

export interface DistributionSide {
  role: SideRole;
  label: string;
  buckets: readonly DistributionBucket[];
  /** The bucket that holds the quantile; null when it is not known. upper is null in the highest bucket. */
  quantile: { q: number; lower: number | null; upper: number | null } | null;
}

/** A bucket placed on the axis: it spans the columns from..to, whose edges are the union of both sides' edges. */
export interface PlacedBucket extends DistributionBucket {
  from: number;
  to: number;
}

export interface PlacedSide {
  role: SideRole;
  label: string;
  buckets: PlacedBucket[];
  /** Columns of the bucket that holds the quantile; null when it is not known. */
  quantile: { q: number; from: number; to: number; lower: number | null; upper: number | null } | null;
}

export interface Distribution {
  /** Edges in seconds, ascending; each gets the same room, because bucket widths differ by orders of magnitude. */
  edges: number[];
  /** True when a last column without an upper edge stands behind the last edge. */
  open: boolean;
  /** Number of columns. */
  columns: number;
  maxShare: number;
  sides: PlacedSide[];
}

/**
 * Lays the buckets of all sides on one axis. Only the stretch that holds observations is kept, with one empty column on
 * either side so that it can be seen to end there.
 */
export function layOut(sides: readonly DistributionSide[]): Distribution {
  const filled = sides.flatMap((side) => side.buckets.filter((bucket) => bucket.count > 0));
  const empty = { edges: [], open: false, columns: 0, maxShare: 0, sides: [] };
  if (filled.length === 0) {
    return empty;
  }
  const all = [
    ...new Set(
      sides.flatMap((side) => side.buckets.flatMap((b) => (b.upper === null ? [b.lower] : [b.lower, b.upper])))
    ),
  ].sort((a, b) => a - b);
  const open = filled.some((bucket) => bucket.upper === null);
  const lowest = Math.min(...filled.map((bucket) => bucket.lower));
  const highest = open ? Infinity : Math.max(...filled.map((bucket) => bucket.upper ?? Infinity));
  const first = Math.max(0, all.findIndex((value) => value >= lowest) - 1);
  const beyond = all.findIndex((value) => value > highest);
  const edges = all.slice(first, beyond < 0 ? undefined : beyond + 1);
  const columns = edges.length - 1 + (open ? 1 : 0);
  const column = (value: number | null) => (value === null ? columns : edges.indexOf(value));

  const placed = sides.map((side): PlacedSide => {
    const from = column(side.quantile?.lower ?? null);
    const to = column(side.quantile?.upper ?? null);
    const known = side.quantile && (side.quantile.lower !== null || side.quantile.upper !== null);
    return {
      role: side.role,
      label: side.label,
      buckets: side.buckets
        .filter((bucket) => bucket.count > 0)
        .map((bucket) => ({ ...bucket, from: column(bucket.lower), to: column(bucket.upper) })),
      quantile:
        side.quantile && known && from >= 0 && to > from
          ? { q: side.quantile.q, from, to, lower: side.quantile.lower, upper: side.quantile.upper }
          : null,
    };
  });
  const maxShare = Math.max(...filled.map((bucket) => bucket.share));
  return { edges, open, columns, maxShare, sides: placed };
}

/** The bucket of a side that lies over a column, if it holds anything. */
export function bucketAt(side: PlacedSide, column: number): PlacedBucket | undefined {
  return side.buckets.find((bucket) => bucket.from <= column && column < bucket.to);
}

import { formatEdge, formatMs } from '../format/number';

/** Milliseconds as a replay reports them: whole, so no decimal is made up. */
export function wholeMs(ms: number): string {
  return Number.isInteger(ms) && Math.abs(ms) < 1000 ? formatEdge(ms / 1000) : formatMs(ms);
}

/** How far an instant may be off, in seconds; three digits say enough. */
export const uncertainty = (seconds: number) => `± ${formatEdge(Number(seconds.toPrecision(3)))}`;

import { SideRole } from './sides';

/** One step of a side: a figure and, where it is known, the bounds it lies in. */
export interface ElapsedStep {
  /** End of the step in seconds since the start of the run. */
  seconds: number;
  value: number | null;
  lower?: number | null;
  upper?: number | null;
}

export interface ElapsedSide {
  role: SideRole;
  label: string;
  steps: readonly ElapsedStep[];
}

export type Column = Array<number | null>;

/** The aligned columns of a chart over elapsed time: x, then value, lower and upper of each side. */
export interface ElapsedData {
  columns: [number[], ...Column[]];
  /** True when a side has bounds to draw. */
  bounded: boolean[];
  /** The largest finite figure or bound. */
  max: number;
}

/** Puts the steps of all sides on one axis of elapsed seconds. What is not known stays null: a gap, not a zero. */
export function alignElapsed(sides: readonly ElapsedSide[]): ElapsedData {
  const seconds = [...new Set(sides.flatMap((side) => side.steps.map((step) => step.seconds)))].sort((a, b) => a - b);
  const columns: Column[] = [];
  const bounded: boolean[] = [];
  let max = 0;
  for (const side of sides) {
    const byTime = new Map(side.steps.map((step) => [step.seconds, step]));
    const column = (pick: (step: ElapsedStep) => number | null | undefined): Column =>
      seconds.map((at) => {
        const step = byTime.get(at);
        const value = step ? (pick(step) ?? null) : null;
        max = Math.max(max, value ?? 0);
        return value;
      });
    const [value, lower, upper] = [column((s) => s.value), column((s) => s.lower), column((s) => s.upper)];
    columns.push(value, lower, upper);
    bounded.push(lower.some((v) => v !== null) && upper.some((v) => v !== null));
  }
  return { columns: [seconds, ...columns], bounded, max };
}

/** The step of a side that a moment falls into: the first that ends at or after it. */
export function stepAt(side: ElapsedSide, seconds: number): ElapsedStep | undefined {
  return side.steps.find((step) => step.seconds >= seconds);
}

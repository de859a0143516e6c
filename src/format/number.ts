// How numbers read everywhere in the app. The backend decides what a figure is; these functions only write it down.
// They take null for "not known" and answer with a dash, never with 0.

/** Stands for a figure that is not known. */
export const DASH = '–';

const MINUS = '\u2212';
/** Joins number and unit, so that they are never torn apart at the end of a line. */
const NBSP = '\u00a0';

type Maybe = number | null | undefined;

const known = (value: Maybe): value is number => typeof value === 'number' && Number.isFinite(value);

function grouped(value: number, decimals: number): string {
  const digits = new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(Math.abs(value));
  // No minus before a zero: -0.04 at one decimal is 0.0.
  return value < 0 && /[1-9]/.test(digits) ? MINUS + digits : digits;
}

/** Decimals that leave about `significant` digits, at most three decimals. */
function decimalsFor(value: number, significant: number): number {
  const size = Math.abs(value);
  if (size === 0) {
    return 0;
  }
  const whole = Math.floor(Math.log10(size)) + 1;
  return Math.min(3, Math.max(0, significant - whole));
}

/** A whole number with separators: "1,200". */
export function formatCount(value: Maybe): string {
  return known(value) ? grouped(Math.round(value), 0) : DASH;
}

/**
 * A number without unit, two significant digits below 10, one decimal below 100: "0.05", "5.0", "46.4", "1,200". Small
 * ones keep their two digits, so that no figure but zero reads as zero: "0.00048", "4.8e-8".
 */
export function formatNumber(value: Maybe): string {
  if (!known(value)) {
    return DASH;
  }
  const size = Math.abs(value);
  if (size > 0 && size < 0.01) {
    return String(Number(value.toPrecision(2))).replace(/^-/, MINUS);
  }
  return grouped(value, size >= 10 && size < 100 ? 1 : decimalsFor(value, 2));
}

/** A rate per second: "46.4 /s". */
export function formatRate(value: Maybe): string {
  return known(value) ? `${formatNumber(value)}${NBSP}/s` : DASH;
}

type Unit = 'µs' | 'ms' | 's';

const SCALE: Record<Unit, number> = { µs: 1e6, ms: 1e3, s: 1 };

// The steps are those at which the shown digits stay few: 999.6 ms is written as 1 s, not as 1,000 ms.
function unitFor(seconds: number): Unit {
  const size = Math.abs(seconds);
  if (size >= 0.9995) {
    return 's';
  }
  return size >= 0.000_095 || size === 0 ? 'ms' : 'µs';
}

/** A duration given in seconds: "0.80 ms", "63 ms", "1.25 s", "26.2 s". */
export function formatSeconds(seconds: Maybe): string {
  if (!known(seconds)) {
    return DASH;
  }
  const unit = unitFor(seconds);
  // Rounded first, so that the decimals fit what is shown: 0.9996 s is 1.00 s.
  const value = Number((seconds * SCALE[unit]).toPrecision(3));
  const decimals = decimalsFor(value, unit === 's' ? 3 : 2);
  return `${grouped(seconds * SCALE[unit], decimals)}${NBSP}${unit}`;
}

/** A duration in milliseconds as the replay reports it. */
export function formatMs(ms: Maybe): string {
  return known(ms) ? formatSeconds(ms / 1000) : DASH;
}

/** A change of a duration in seconds, with its sign: "−63 ms", "+2.0 ms". */
export function formatSecondsChange(seconds: Maybe): string {
  const words = formatSeconds(seconds);
  return known(seconds) && seconds > 0 ? `+${words}` : words;
}

// A bucket's edge is a decision of whoever made the histogram: it is written as it was written there.
function edge(seconds: number, unit: Unit): string {
  return String(Number((seconds * SCALE[unit]).toPrecision(6)));
}

/** One edge of a bucket in seconds: "25 ms", "2.5 s". */
export function formatEdge(seconds: Maybe): string {
  if (!known(seconds)) {
    return DASH;
  }
  const unit = unitFor(seconds);
  return `${edge(seconds, unit)}${NBSP}${unit}`;
}

/**
 * A bucket (lower, upper] in seconds: "150–200 ms", "750 ms–1 s", "at most 10 ms" for the lowest and "above 2.5 s" for
 * the highest, whose upper edge is null.
 */
export function formatBucket(lower: Maybe, upper: Maybe): string {
  if (!known(lower) && !known(upper)) {
    return DASH;
  }
  if (!known(upper)) {
    return `above ${formatEdge(lower)}`;
  }
  if (!known(lower) || lower <= 0) {
    return `at most ${formatEdge(upper)}`;
  }
  const unit = unitFor(upper);
  // Within a factor of 1,000 of each other, both edges read best in the unit of the upper one below a second.
  if (unitFor(lower) === unit || unit === 'ms') {
    return `${edge(lower, unit)}–${edge(upper, unit)}${NBSP}${unit}`;
  }
  return `${formatEdge(lower)}–${formatEdge(upper)}`;
}

/** A share 0..1 as percent: "59 %", "0.4 %". Anything above zero never reads "0 %". */
export function formatShare(share: Maybe): string {
  if (!known(share)) {
    return DASH;
  }
  const percent = share * 100;
  if (percent !== 0 && Math.abs(percent) < 0.05) {
    return `${percent < 0 ? 'above −' : 'below '}0.1${NBSP}%`;
  }
  return `${grouped(percent, Math.abs(percent) < 9.95 && percent !== 0 ? 1 : 0)}${NBSP}%`;
}

/** A ratio: "3.8×". */
export function formatRatio(ratio: Maybe): string {
  return known(ratio) ? `${grouped(ratio, Math.abs(ratio) >= 99.95 ? 0 : decimalsFor(ratio, 2))}×` : DASH;
}

/** Bounds of a ratio: "3.0× to 8.0×". */
export function formatRatioRange(lower: Maybe, upper: Maybe): string {
  if (!known(lower) && !known(upper)) {
    return DASH;
  }
  if (!known(upper)) {
    return `at least ${formatRatio(lower)}`;
  }
  if (!known(lower)) {
    return `at most ${formatRatio(upper)}`;
  }
  const [from, to] = [formatRatio(lower), formatRatio(upper)];
  return from === to ? from : `${from} to ${to}`;
}

/** "1 request", "1,200 requests". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

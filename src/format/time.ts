import { dateTimeFormat } from '@grafana/data';

/** An instant in the time zone the user chose in Grafana, to the second. */
export function formatLocal(iso: string): string {
  return dateTimeFormat(iso, { format: 'YYYY-MM-DD HH:mm:ss' });
}

/** The same instant in UTC with all its digits, as it was sent to the metrics server. */
export function formatUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/Z$|[+-]00:00$/, ' UTC');
}

/** Seconds since a start, for the axis of elapsed time: "0 s", "26 s", "1:05 min". */
export function formatElapsed(seconds: number): string {
  if (seconds < 60) {
    return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  }
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}

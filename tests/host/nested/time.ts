import { dateTime, TimeRange } from '@grafana/data';

/** The range that holds the windows of the lab's runs. */
export function labRange(): TimeRange {
  const from = dateTime('2026-08-13T14:58:00Z');
  const to = dateTime('2026-08-13T15:02:00Z');
  return { from, to, raw: { from, to } };
}

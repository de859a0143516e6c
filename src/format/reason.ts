// Why a figure is not known, in words. The codes are those of the evidence contract.
const WORDS: Record<string, string> = {
  above_highest_bound: 'above the highest bucket edge',
  absent_series: 'this server has no such series in the window',
  bucket_layout: 'the buckets of the histogram changed or differ',
  comparison_source: 'the baseline is what the candidate is compared with',
  expired: 'the server no longer keeps this window',
  gate_failed: 'a check that this figure depends on failed',
  infinite: 'the figure is not finite',
  insufficient_samples: 'too few samples',
  no_observations: 'no observations in this window',
  no_prometheus: 'no metrics server is configured',
  no_run: 'there is no such run in this side',
  no_window: 'the window of the run is not known',
  not_configured: 'the profile does not ask for it',
  not_in_profile: 'the profile does not ask for it',
  not_reported: 'the replay did not report it',
  not_scored: 'the replay did not score it',
  pool_size_not_declared: 'the size of the pool is not declared in side.json',
  query_failed: 'the query failed',
  raw_samples: 'raw samples, from which the exact figure is counted',
  refused: 'the metrics server refused the query',
  several_series: 'the query returned several series',
  time_mismatch: 'the server answered for another time than the one asked for',
  too_few_requests: 'too few requests',
  total_not_accounted_for: 'the total is not accounted for, so that an absent error series proves nothing',
  unit_conflict: 'the sums conflict with the buckets: the metric is probably not in seconds',
  unknown: 'not known',
  unreachable: 'the metrics server could not be reached',
  whole_milliseconds: 'the replay reports whole milliseconds, which are too coarse for this figure',
  window_in_future: 'the window lies in the future of the server: the clocks differ',
};

/** Says why a figure is null; a code this version does not know is shown as it is. */
export function reasonText(code: string | undefined): string {
  if (!code) {
    return 'not known';
  }
  return WORDS[code] ?? code.replaceAll('_', ' ');
}

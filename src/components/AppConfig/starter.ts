/** A first profile with every field explained, to be filled in. */
export const STARTER_PROFILE = `# The questions for one service.
name: my-service

# What Prometheus scrapes: up{job="..."} says which scrapes succeeded.
target:
  job: my-service

# The histogram of request durations in seconds, without _bucket.
request:
  metric: http_request_duration_seconds
  # matchers: route="/api/quote"
  route: route # the label that holds the endpoint
  code: code # the label that holds the status code

# Time spent waiting: a pool, a lock, a queue. The size of a pool belongs to side.json, because it is what changes.
# waits:
#   - name: database connection
#     metric: db_pool_wait_seconds
#     pool: database

# Seconds of CPU time.
cpu: process_cpu_seconds_total

# Which requests are errors.
errors: code=~"5.."

# Response fields that differ in every run.
# ignore:
#   - body .generated_at

quantile: 0.95
tolerance:
  percent: 10
  milliseconds: 2
`;

/** The name that a profile gives itself, read without a parser: it is only a heading. */
export function profileName(yaml: string): string {
  return /^name:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(yaml)?.[1] ?? 'Unnamed profile';
}

/** The name under which a profile asks for a metric: a histogram goes without the suffix of its series. */
export const profileMetric = (series: string) => series.replace(/_(bucket|count|sum)$/, '');

/** Writes a metric as that of the requests: where nobody has said where else, that is what a profile needs first. */
export function withRequestMetric(yaml: string, metric: string): string {
  const line = /^(\s*metric:)(?:[^\S\n]+[^\s#]+)?/m;
  return line.test(yaml)
    ? yaml.replace(line, (_, field: string) => `${field} ${metric}`)
    : `${yaml.replace(/\n*$/, '\n')}request:\n  metric: ${metric}\n`;
}

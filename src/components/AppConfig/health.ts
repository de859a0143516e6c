import type { Health } from '../../api/client';
import type { HealthDetails } from '../../types/generated';

/** What the health check says of Prometheus, by its code, as a heading. */
const TITLES: Record<string, string> = {
  ok: 'Prometheus answers',
  not_configured: 'Prometheus is not configured',
  no_token: 'There is no token for Grafana’s data source proxy',
  no_grafana_url: 'Grafana’s own address is not known',
  token_refused: 'Grafana refused the token',
  not_allowed: 'The query was not allowed',
  datasource_missing: 'The data source does not exist',
  prometheus_down: 'Prometheus cannot be reached',
  not_prometheus: 'What answers is not Prometheus',
  failed: 'Prometheus could not be asked',
};

export type Severity = 'success' | 'info' | 'error';

export interface PrometheusHealth {
  severity: Severity;
  title: string;
  text: string;
  next: string;
}

export function prometheusHealth({ prometheus, prometheusText, prometheusNext }: HealthDetails): PrometheusHealth {
  return {
    severity: prometheus === 'ok' ? 'success' : prometheus === 'not_configured' ? 'info' : 'error',
    title: TITLES[prometheus] ?? TITLES.failed ?? prometheus,
    text: prometheusText,
    next: prometheusNext,
  };
}

/** The details of a health check of this version; an older backend, or Grafana itself, sends none. */
export function healthDetails({ details }: Health): HealthDetails | null {
  return typeof details === 'object' && details !== null && 'prometheus' in details && 'roots' in details
    ? (details as HealthDetails)
    : null;
}

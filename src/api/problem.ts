import { isFetchError } from '@grafana/runtime';

/**
 * What went wrong, in words a user can act on. The backend sends these as problem documents (RFC 9457) with the
 * extension members `code` and `next`.
 */
export interface Problem {
  /** Stable name of the kind of problem; empty when the answer did not come from the plugin's backend. */
  code: string;
  title: string;
  /** HTTP status; 0 when there was no answer at all. */
  status: number;
  /** The cause. */
  detail: string;
  /** The next step the user can take. */
  next: string;
}

export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail ? `${problem.title}: ${problem.detail}` : problem.title);
    this.name = 'ProblemError';
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Grafana answers these itself, before or instead of the plugin's backend. */
function grafanaProblem(status: number, message: string): Problem {
  const base = { code: '', status, detail: message };
  switch (status) {
    case 0:
      return {
        ...base,
        title: 'Grafana did not answer',
        next: 'Check your connection and that Grafana is running, then try again.',
      };
    case 401:
      return { ...base, title: 'You are not signed in', next: 'Sign in to Grafana and open this page again.' };
    case 403:
      return {
        ...base,
        title: 'You may not read replay evidence',
        next: 'Ask an administrator for the role "Evidence reader" or for the Viewer role in this organisation.',
      };
    case 404:
      return {
        ...base,
        title: 'Grafana does not know this address',
        next: 'Check that the plugin is enabled in this organisation and that its version matches this page.',
      };
    case 502:
    case 503:
    case 504:
      return {
        ...base,
        title: 'The plugin’s backend is not available',
        next: 'Look for the plugin’s id in the log of the Grafana server; it says why the backend stopped or was too slow.',
      };
    default:
      return {
        ...base,
        title: status >= 500 ? 'Grafana could not answer' : 'The request was refused',
        next: 'Look for the plugin’s id in the log of the Grafana server.',
      };
  }
}

/** Turns whatever a call threw into a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) {
    return error.problem;
  }
  if (isFetchError(error)) {
    const body: unknown = error.data;
    if (isRecord(body) && text(body.title) && typeof body.status === 'number') {
      return {
        code: text(body.code),
        title: text(body.title),
        status: body.status,
        detail: text(body.detail),
        next: text(body.next),
      };
    }
    const message = isRecord(body) ? text(body.message) : text(body);
    return grafanaProblem(error.status ?? 0, message || text(error.statusText));
  }
  return {
    code: '',
    status: 0,
    title: 'This page could not show the answer',
    detail: error instanceof Error ? error.message : String(error),
    next: 'Reload the page. If it happens again, report it with the text above.',
  };
}

/** True when a call ended because its caller no longer wanted the answer. */
export function isAborted(error: unknown): boolean {
  if (isFetchError(error)) {
    return Boolean(error.cancelled);
  }
  return error instanceof Error && error.name === 'AbortError';
}

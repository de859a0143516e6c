import { lastValueFrom } from 'rxjs';

import { getBackendSrv } from '@grafana/runtime';

import { PLUGIN_ID } from '../constants';
import { isAborted, ProblemError, toProblem } from './problem';

/** Parameters of a request. A list is sent as a repeated parameter; undefined, null and empty text are left out. */
export type Params = Record<string, string | number | boolean | readonly string[] | null | undefined>;

export interface CallOptions {
  params?: Params;
  /** Ends the call; the promise then rejects with an error that isAborted() knows. */
  signal?: AbortSignal;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Body of the request, sent as JSON. */
  data?: unknown;
  responseType?: 'json' | 'text' | 'blob';
}

/** Writes parameters in the order of their names, so that equal questions have equal addresses. */
export function queryString(params: Params = {}): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(params).sort()) {
    const value = params[name];
    if (value === undefined || value === null || value === '') {
      continue;
    }
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(name, String(one));
    }
  }
  const encoded = query.toString();
  return encoded ? `?${encoded}` : '';
}

/** The address of a resource of the plugin's backend. */
export function resourceUrl(path: string, params?: Params): string {
  return `/api/plugins/${PLUGIN_ID}/resources/${path.replace(/^\//, '')}${queryString(params)}`;
}

export async function call<T>(url: string, { signal, method = 'GET', data, responseType }: CallOptions): Promise<T> {
  try {
    const response = await lastValueFrom(
      getBackendSrv().fetch<T>({
        url,
        method,
        data,
        responseType,
        abortSignal: signal,
        showErrorAlert: false,
        showSuccessAlert: false,
      })
    );
    return response.data;
  } catch (error) {
    if (signal?.aborted || isAborted(error)) {
      throw new DOMException('The page no longer needs this answer.', 'AbortError');
    }
    throw new ProblemError(toProblem(error));
  }
}

/**
 * Calls a resource of the plugin's backend.
 * @throws ProblemError with the cause and the next step
 */
export function callResource<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call<T>(resourceUrl(path, options.params), options);
}

/** The plugin's health as Grafana reports it. A failing check is an answer here, not an error. */
export interface Health {
  status: 'OK' | 'ERROR' | 'UNKNOWN';
  message: string;
  details?: unknown;
}

const isHealth = (value: unknown): value is Health =>
  typeof value === 'object' && value !== null && 'status' in value && 'message' in value;

/** Runs the health check of the app's backend. */
export async function checkHealth(signal?: AbortSignal): Promise<Health> {
  const url = `/api/plugins/${PLUGIN_ID}/health`;
  try {
    const response = await lastValueFrom(
      getBackendSrv().fetch<Health>({ url, abortSignal: signal, showErrorAlert: false })
    );
    return response.data;
  } catch (error) {
    // Grafana answers a failed check with status 400 or 503 and the same body.
    const body: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
    if (isHealth(body)) {
      return body;
    }
    if (signal?.aborted || isAborted(error)) {
      throw new DOMException('The page no longer needs this answer.', 'AbortError');
    }
    throw new ProblemError(toProblem(error));
  }
}

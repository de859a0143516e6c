import { from, Observable } from 'rxjs';

import { BackendSrvRequest, FetchResponse } from '@grafana/runtime';

// Grafana's own client, as far as plugins see it: JSON unless asked otherwise, errors as { status, data }.

function address({ url, params }: BackendSrvRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) {
        query.append(name, String(one));
      }
    }
  }
  const text = query.toString();
  return '/' + url.replace(/^\//, '') + (text ? (url.includes('?') ? '&' : '?') + text : '');
}

async function read(response: Response, type: BackendSrvRequest['responseType']): Promise<unknown> {
  switch (type) {
    case 'blob':
      return response.blob();
    case 'arraybuffer':
      return response.arrayBuffer();
    case 'text':
      return response.text();
    default: {
      const text = await response.text();
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    }
  }
}

async function send<T>(request: BackendSrvRequest): Promise<FetchResponse<T>> {
  const hasBody = request.data !== undefined && request.data !== null;
  const asIs = typeof request.data === 'string';
  let response: Response;
  try {
    response = await fetch(address(request), {
      method: request.method ?? 'GET',
      headers: {
        accept: 'application/json, text/plain, */*',
        ...(hasBody && !asIs && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      body: hasBody ? (asIs ? request.data : JSON.stringify(request.data)) : undefined,
      signal: request.abortSignal,
    });
  } catch (error) {
    const cancelled = request.abortSignal?.aborted ?? false;
    const statusText = error instanceof Error ? error.message : String(error);
    throw { status: cancelled ? -1 : 0, statusText, data: undefined, cancelled, config: request };
  }
  const { status, statusText, ok, headers, redirected, type, url } = response;
  const data = await read(response, ok ? request.responseType : undefined);
  if (!ok) {
    throw { status, statusText, data, config: request };
  }
  return { data: data as T, status, statusText, ok, headers, redirected, type, url, config: request };
}

const call =
  (method: string) =>
  async (url: string, data?: unknown, options?: Partial<BackendSrvRequest>): Promise<unknown> =>
    (await send({ ...options, url, method, data })).data;

export const backendSrv = {
  fetch: <T>(request: BackendSrvRequest): Observable<FetchResponse<T>> => from(send<T>(request)),
  request: async (request: BackendSrvRequest) => (await send(request)).data,
  datasourceRequest: (request: BackendSrvRequest) => send(request),
  get: async (url: string, params?: BackendSrvRequest['params']) => (await send({ url, params, method: 'GET' })).data,
  post: call('POST'),
  put: call('PUT'),
  patch: call('PATCH'),
  delete: call('DELETE'),
};

import { of, throwError } from 'rxjs';

import { setBackendSrv } from '@grafana/runtime';

import { callResource, checkHealth, queryString, resourceUrl } from './client';
import { ProblemError } from './problem';

const fetch = jest.fn();

beforeEach(() => {
  fetch.mockReset();
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
});

describe('queryString', () => {
  test.each([
    ['nothing', {}, ''],
    ['in the order of the names', { candidate: 'lab/b', baseline: 'lab/a' }, '?baseline=lab%2Fa&candidate=lab%2Fb'],
    ['leaves out what is not set', { a: undefined, b: null, c: '', d: 0, e: false }, '?d=0&e=false'],
    ['repeats a list', { run: ['a', 'b'] }, '?run=a&run=b'],
    ['encodes what a directory may be called', { id: 'lab/ä+b &c' }, '?id=lab%2F%C3%A4%2Bb+%26c'],
  ])('%s', (_name, params, want) => {
    expect(queryString(params)).toBe(want);
  });
});

test('a resource lies below the plugin', () => {
  expect(resourceUrl('/v1/sides', { root: 'lab' })).toBe(
    '/api/plugins/replaylab-evidence-app/resources/v1/sides?root=lab'
  );
});

describe('callResource', () => {
  test('answers with the body', async () => {
    fetch.mockReturnValue(of({ data: { sides: [] } }));
    const { signal } = new AbortController();
    await expect(callResource('v1/sides', { signal })).resolves.toEqual({ sides: [] });
    expect(fetch).toHaveBeenCalledWith(
      expect.objectContaining({
        url: '/api/plugins/replaylab-evidence-app/resources/v1/sides',
        method: 'GET',
        abortSignal: signal,
        showErrorAlert: false,
      })
    );
  });

  test('throws a problem', async () => {
    fetch.mockReturnValue(throwError(() => ({ status: 502, data: {}, config: { url: '' } })));
    await expect(callResource('v1/sides')).rejects.toBeInstanceOf(ProblemError);
  });

  test('an aborted call is not a problem', async () => {
    const controller = new AbortController();
    controller.abort();
    fetch.mockReturnValue(throwError(() => ({ status: -1, data: {}, config: { url: '' } })));
    await expect(callResource('v1/sides', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('checkHealth', () => {
  test('a failed check is an answer', async () => {
    const body = { status: 'ERROR', message: 'root "lab" is gone' };
    fetch.mockReturnValue(throwError(() => ({ status: 503, data: body, config: { url: '' } })));
    await expect(checkHealth()).resolves.toEqual(body);
  });

  test('no answer is a problem', async () => {
    fetch.mockReturnValue(throwError(() => ({ status: 0, data: undefined, config: { url: '' } })));
    await expect(checkHealth()).rejects.toBeInstanceOf(ProblemError);
  });
});

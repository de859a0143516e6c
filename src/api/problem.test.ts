import { isAborted, ProblemError, toProblem } from './problem';

const fetchError = (status: number, data: unknown) => ({
  status,
  statusText: 'status text',
  data,
  config: { url: '/x' },
});

describe('toProblem', () => {
  test('keeps a problem document of the backend word for word', () => {
    const document = {
      type: 'urn:replay-evidence:problem:root_gone',
      code: 'root_gone',
      title: 'The root "lab" cannot be read',
      status: 503,
      detail: 'open /var/lib/lab: no such file or directory',
      next: 'Ask the operator to mount it.',
    };
    expect(toProblem(fetchError(503, document))).toEqual({
      code: 'root_gone',
      title: document.title,
      status: 503,
      detail: document.detail,
      next: document.next,
    });
  });

  test.each([
    [0, 'Grafana did not answer'],
    [401, 'You are not signed in'],
    [403, 'You may not read replay evidence'],
    [404, 'Grafana does not know this address'],
    [502, 'The plugin’s backend is not available'],
    [500, 'Grafana could not answer'],
    [422, 'The request was refused'],
  ])('explains status %s that Grafana answers itself', (status, title) => {
    const problem = toProblem(fetchError(status, { message: 'what Grafana said' }));
    expect(problem).toMatchObject({ title, status, detail: 'what Grafana said' });
    expect(problem.next).not.toBe('');
  });

  test('uses the status text when there is no body', () => {
    expect(toProblem(fetchError(502, undefined)).detail).toBe('status text');
  });

  test('a fault of the page names itself', () => {
    expect(toProblem(new TypeError('x is undefined'))).toMatchObject({ status: 0, detail: 'x is undefined' });
  });

  test('a problem passes through unchanged', () => {
    const problem = { code: 'c', title: 't', status: 400, detail: 'd', next: 'n' };
    expect(toProblem(new ProblemError(problem))).toBe(problem);
    expect(new ProblemError(problem).message).toBe('t: d');
  });
});

test('isAborted knows both ways in which a call is given up', () => {
  expect(isAborted({ ...fetchError(-1, null), cancelled: true })).toBe(true);
  expect(isAborted(new DOMException('gone', 'AbortError'))).toBe(true);
  expect(isAborted(fetchError(500, null))).toBe(false);
  expect(isAborted(new Error('other'))).toBe(false);
});

import { act, renderHook, waitFor } from '@testing-library/react';

import { ProblemError } from './problem';
import { useLoad } from './useLoad';

const problem = { code: 'c', title: 'It failed', status: 500, detail: 'd', next: 'n' };

/** A call that is settled by hand and knows the signal it was given. */
function deferred() {
  const calls: Array<{ signal: AbortSignal; resolve: (value: string) => void; reject: (error: unknown) => void }> = [];
  const load = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      calls.push({ signal, resolve, reject });
    });
  return { calls, load };
}

test('loads, and loads again while the old answer stays', async () => {
  const { calls, load } = deferred();
  const { result } = renderHook(() => useLoad('a', load));
  expect(result.current).toMatchObject({ loading: true, data: undefined });
  await act(async () => calls[0]?.resolve('first'));
  expect(result.current).toMatchObject({ loading: false, data: 'first' });
  act(() => result.current.reload());
  expect(result.current).toMatchObject({ loading: true, data: 'first' });
  await act(async () => calls[1]?.resolve('second'));
  expect(result.current).toMatchObject({ loading: false, data: 'second' });
});

test('a problem keeps what was known and goes away with the next answer', async () => {
  const { calls, load } = deferred();
  const { result } = renderHook(() => useLoad('a', load));
  await act(async () => calls[0]?.resolve('first'));
  act(() => result.current.reload());
  await act(async () => calls[1]?.reject(new ProblemError(problem)));
  expect(result.current).toMatchObject({ loading: false, data: 'first', problem });
  act(() => result.current.reload());
  expect(result.current.problem).toBeUndefined();
  await act(async () => calls[2]?.resolve('third'));
  expect(result.current).toMatchObject({ data: 'third', problem: undefined });
});

test('another key aborts the call and drops the old answer at once', async () => {
  const { calls, load } = deferred();
  const { result, rerender } = renderHook(({ name }) => useLoad(name, load), { initialProps: { name: 'a' } });
  await act(async () => calls[0]?.resolve('of a'));
  act(() => result.current.reload());
  rerender({ name: 'b' });
  expect(calls[1]?.signal.aborted).toBe(true);
  expect(result.current).toMatchObject({ loading: true, data: undefined });
  // An answer that comes too late is not shown below the new heading.
  await act(async () => calls[1]?.resolve('late answer of a'));
  expect(result.current.data).toBeUndefined();
  await act(async () => calls[2]?.resolve('of b'));
  await waitFor(() => expect(result.current.data).toBe('of b'));
});

test('unmounting aborts', () => {
  const { calls, load } = deferred();
  const { unmount } = renderHook(() => useLoad('a', load));
  unmount();
  expect(calls[0]?.signal.aborted).toBe(true);
});

test('no key, no call', () => {
  const { calls, load } = deferred();
  const { result } = renderHook(() => useLoad(null, load));
  expect(calls).toHaveLength(0);
  expect(result.current.loading).toBe(false);
});

import { useCallback, useEffect, useRef, useState } from 'react';

import { isAborted, Problem, toProblem } from './problem';

/** The state of something being loaded. While it is loaded again, what was known before stays. */
export interface Loaded<T> {
  loading: boolean;
  data?: T;
  problem?: Problem;
  /** Asks again. */
  reload: () => void;
}

/** How the last finished attempt ended, and for which key it was. */
interface Settled<T> {
  key: string | null;
  attempt: number;
  data?: T;
  problem?: Problem;
}

/**
 * Loads something when the component mounts and whenever key changes, and aborts when it is no longer wanted.
 *
 * @param key names what is loaded; null loads nothing. What was loaded for another key is dropped at once, so that an
 *   old answer never stands below a new heading.
 * @param load does it; it may change from render to render, only the key matters
 */
export function useLoad<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [settled, setSettled] = useState<Settled<T>>({ key: null, attempt: 0 });
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });

  useEffect(() => {
    if (key === null) {
      return;
    }
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) {
          setSettled({ key, attempt, data });
        }
      },
      (error: unknown) => {
        if (!controller.signal.aborted && !isAborted(error)) {
          setSettled((before) => ({
            key,
            attempt,
            data: before.key === key ? before.data : undefined,
            problem: toProblem(error),
          }));
        }
      }
    );
    return () => controller.abort();
  }, [key, attempt]);

  const reload = useCallback(() => setAttempt((n) => n + 1), []);
  const loading = key !== null && (settled.key !== key || settled.attempt !== attempt);
  return {
    loading,
    data: settled.key === key ? settled.data : undefined,
    problem: loading || key === null ? undefined : settled.problem,
    reload,
  };
}

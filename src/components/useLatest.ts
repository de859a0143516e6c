import { RefObject, useLayoutEffect, useRef } from 'react';

/**
 * The value that was drawn last, for handlers that outlive their drawing: some versions of Grafana's Combobox tell one
 * choice to the handler of an earlier drawing, and again with each further one, without end.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}

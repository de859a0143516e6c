import { useLayoutEffect, useRef } from 'react';

/**
 * Tells a choice once. Some versions of Grafana's Combobox tell one choice to the handler of an earlier drawing, and
 * again with each further drawing, without end.
 *
 * @param drawn what the fields show now, by name
 * @param tell is called when a field is given another value than it has, or was given last
 */
export function useToldOnce<T extends object>(drawn: T, tell: <K extends keyof T>(field: K, value: T[K]) => void) {
  const shown = useRef(drawn);
  const last = useRef(drawn);
  const latest = useRef(tell);
  useLayoutEffect(() => {
    latest.current = tell;
    for (const field of Object.keys({ ...shown.current, ...drawn }) as Array<keyof T>) {
      if (shown.current[field] !== drawn[field]) {
        last.current = { ...last.current, [field]: drawn[field] };
      }
    }
    shown.current = drawn;
  });
  return <K extends keyof T>(field: K, value: T[K]) => {
    if ((value || undefined) !== (last.current[field] || undefined)) {
      last.current = { ...last.current, [field]: value };
      latest.current(field, value);
    }
  };
}

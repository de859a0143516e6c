import { ScopedVars } from '@grafana/data';
import { getTemplateSrv } from '@grafana/runtime';

/** Fills in the variables of those fields that hold text. */
export function interpolate<Q extends object>(query: Q, fields: ReadonlyArray<keyof Q>, scopedVars?: ScopedVars): Q {
  const filled = { ...query };
  for (const field of fields) {
    const text = query[field];
    if (typeof text === 'string') {
      Object.assign(filled, { [field]: getTemplateSrv().replace(text, scopedVars) });
    }
  }
  return filled;
}

import { useEffect, useState } from 'react';

import { importPlugin } from '../shared';

/** Imports the module of a nested plugin at the address that Grafana has for it. */
export function usePlugin<T>(module: string | undefined): { plugin?: T; error?: string } {
  const [state, setState] = useState<{ plugin?: T; error?: string }>({});
  useEffect(() => {
    if (!module) {
      return;
    }
    importPlugin<T>(module).then(
      (plugin) => setState({ plugin }),
      (error: unknown) => setState({ error: String(error) })
    );
  }, [module]);
  return module ? state : { error: 'this build has no such nested plugin' };
}

import { useLocation } from 'react-router-dom';

import { variables } from '../services';

/** What the address says: `var-name=value` are dashboard variables, as in Grafana; `name=json` is anything else. */
export function useParameters() {
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const said: Record<string, string> = {};
  for (const [name, value] of params) {
    if (name.startsWith('var-')) {
      said[name.slice('var-'.length)] = value;
    }
  }
  // Before anything asks for them: the services read it while the page is drawn.
  variables.next(said);
  return {
    number: (name: string, otherwise: number) => Number(params.get(name) ?? otherwise),
    json: <T>(name: string, otherwise: T): T => {
      const text = params.get(name);
      return text === null ? otherwise : (JSON.parse(text) as T);
    },
  };
}

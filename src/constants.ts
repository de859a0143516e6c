import pluginJson from './plugin.json';

export const PLUGIN_ID = pluginJson.id;
export const PLUGIN_BASE_URL = `/a/${pluginJson.id}`;

export enum ROUTES {
  Runs = 'runs',
  Compare = 'compare',
  Side = 'side',
}

/** The path of a page of this app. */
export function prefixRoute(route: ROUTES): string {
  return `${PLUGIN_BASE_URL}/${route}`;
}

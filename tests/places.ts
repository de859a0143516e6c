import type { Page } from '@playwright/test';

import { Grafana, PANEL } from './grafana';

export interface PanelPlace {
  /** The panel with its frame, in CSS pixels. */
  width: number;
  height: number;
  /** Dashboard variables by name. */
  variables?: Record<string, string>;
  options?: object;
}

/** Where the nested plugins are met: pages of the test host, or those of a real Grafana. */
export interface Places {
  /** A panel of that size. */
  panel: (place: PanelPlace) => Promise<void>;
  /** A panel with its options beside it. */
  panelOptions: () => Promise<void>;
  /** The editor of a query. Variables are replaced where they are unknown. */
  query: (query?: object, variables?: Record<string, string>) => Promise<void>;
  /** The editor of a new query on a dashboard that has these variables. */
  newQuery: (variables: Record<string, string>) => Promise<void>;
  /** The editor of an annotation. */
  annotation: () => Promise<void>;
  /** The editor of a dashboard variable. */
  variable: (query: object, variables: Record<string, string>) => Promise<void>;
  /** The data source's settings. */
  settings: () => Promise<void>;
}

const address = (path: string, params: Record<string, unknown>) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return `${path}?${query.toString()}`;
};

const asParams = (variables: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [`var-${name}`, value]));

export function hostPlaces(page: Page): Places {
  const go = async (path: string, params: Record<string, unknown> = {}) => {
    await page.goto(address(path, params));
  };
  return {
    panel: ({ variables, options = {}, width, height }) =>
      go('/d/panel', { ...asParams(variables), options, width, height }),
    panelOptions: () => go('/d/panel', { editor: 1, width: 620, height: 420 }),
    query: (query = {}, variables) => go('/explore', { query, ...asParams(variables) }),
    newQuery: (variables) => go('/explore', { query: {}, ...asParams(variables) }),
    annotation: () => go('/d/annotations'),
    variable: (query, variables) => go('/d/variables', { query, ...asParams(variables) }),
    settings: () => go('/connections/datasources/edit'),
  };
}

export function grafanaPlaces(page: Page, grafana: Grafana): Places {
  const go = async (path: string, params: Record<string, unknown> = {}) => {
    await page.goto(address(path, params));
  };
  return {
    panel: async ({ variables, options = {}, width, height }) => {
      const uid = await grafana.dashboard({ variables, panels: [{ type: PANEL, title: 'Replay evidence', options }] });
      // Alone, a panel fills the window.
      await page.setViewportSize({ width, height });
      await go(`/d-solo/${uid}/_`, { panelId: 'panel-1' });
    },
    panelOptions: async () => {
      const uid = await grafana.dashboard({ panels: [{ type: PANEL, title: 'Replay evidence' }] });
      await go(`/d/${uid}/_`, { editPanel: 1 });
    },
    query: async (query = {}, variables = {}) => {
      const datasource = await grafana.dataSource();
      const known = Object.entries(query).map(([field, value]) => [
        field,
        // Explore has no variables.
        typeof value === 'string' && value.startsWith('$') ? variables[`${value.slice(1)}`] : value,
      ]);
      const queries = known.length > 0 ? [{ ...Object.fromEntries(known), refId: 'A', datasource }] : [];
      const pane = { datasource: datasource.uid, queries, range: { from: 'now-7d', to: 'now' } };
      await go('/explore', { schemaVersion: 1, panes: { one: pane } });
    },
    newQuery: async (variables) => {
      // Of the three answers, in words.
      const options = { reduceOptions: { values: true, fields: '/^In one sentence$/', calcs: [] } };
      const uid = await grafana.dashboard({
        variables,
        panels: [{ type: 'stat', title: 'New', options, targets: [] }],
      });
      await go(`/d/${uid}/_`, { editPanel: 1 });
    },
    annotation: async () => {
      const uid = await grafana.dashboard({ annotation: { refId: 'Anno' } });
      // The first one is Grafana's own.
      await go(`/d/${uid}/_`, { editview: 'annotations', editIndex: 1 });
    },
    variable: async (query, variables) => {
      const uid = await grafana.dashboard({ variables, queryVariable: query });
      await go(`/d/${uid}/_`, { editview: 'variables', editIndex: Object.keys(variables).length });
    },
    settings: async () => go(`/connections/datasources/edit/${(await grafana.dataSource()).uid}`),
  };
}

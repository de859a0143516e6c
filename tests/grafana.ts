import { randomUUID } from 'node:crypto';

import { APIRequestContext, APIResponse, expect, test } from '@playwright/test';

import pluginJson from '../src/plugin.json';

export const onGrafana = Boolean(process.env.GRAFANA_URL);

export type Role = 'None' | 'Viewer' | 'Editor' | 'Admin';

export const DATA_SOURCE = 'replaylab-evidence-datasource';
export const PANEL = 'replaylab-evidence-panel';

/** A dashboard in Grafana's JSON model, as far as the specs write one. */
interface Dashboard {
  variables?: Record<string, string>;
  queryVariable?: object;
  annotation?: object;
  panels?: object[];
}

/**
 * Complaints of Grafana itself, none of them about a plugin: it asks its catalogue, which a machine without a way out
 * cannot reach; it asks whether a dashboard is public, for feature flags, and for data of a page that was left; React
 * advises where it is built for development.
 */
export const OWN_COMPLAINTS = [
  /\/api\/gnet\//,
  /Failed to fetch plugins from catalog/,
  /\/public-dashboards\b/,
  /Failed to initialize OpenFeature/,
  /runRequest\.catchError .*cancelled/,
  /^Warning: /,
];

export async function signIn(request: APIRequestContext, user?: string, password?: string) {
  const name = user ?? process.env.GRAFANA_USER ?? 'admin';
  const answer = await request.post('/login', {
    data: { user: name, password: password ?? process.env.GRAFANA_PASSWORD ?? 'admin' },
  });
  expect(answer.ok(), `sign in to Grafana as ${name} (GRAFANA_USER, GRAFANA_PASSWORD)`).toBeTruthy();
}

async function json<T>(answer: APIResponse): Promise<T> {
  expect(answer.ok(), `${answer.url()} answers ${answer.status()}: ${await answer.text()}`).toBeTruthy();
  return answer.json();
}

const value = (name: string, text: string) => ({
  name,
  type: 'custom',
  query: text,
  current: { text, value: text },
  options: [{ text, value: text, selected: true }],
});

/** What a spec needs on a real Grafana, made as its administrator and removed after the spec. */
export class Grafana {
  private readonly made: string[] = [];

  constructor(private readonly request: APIRequestContext) {}

  /** Saves a dashboard and gives its UID. */
  async dashboard({ variables = {}, queryVariable, annotation, panels = [] }: Dashboard): Promise<string> {
    const datasource = await this.dataSource();
    const uid = `spec-${randomUUID().slice(0, 18)}`;
    const dashboard = {
      uid,
      title: `Browser test ${uid}`,
      schemaVersion: 41,
      time: { from: 'now-7d', to: 'now' },
      templating: {
        list: [
          ...Object.entries(variables).map(([name, text]) => value(name, text)),
          ...(queryVariable
            ? [{ name: 'asked', type: 'query', datasource, query: { refId: 'asked', ...queryVariable }, refresh: 1 }]
            : []),
        ],
      },
      annotations: {
        list: annotation ? [{ name: 'Windows', enable: true, iconColor: 'blue', datasource, target: annotation }] : [],
      },
      panels: panels.map((panel, at) => ({
        id: at + 1,
        gridPos: { x: 0, y: 12 * at, w: 24, h: 12 },
        datasource,
        ...panel,
      })),
    };
    await json(await this.request.post('/api/dashboards/db', { data: { dashboard } }));
    this.made.push(`/api/dashboards/uid/${uid}`);
    return uid;
  }

  /** The Replay Evidence data source that is configured. */
  async dataSource(): Promise<{ uid: string; type: string }> {
    const all = await json<Array<{ uid: string; type: string }>>(await this.request.get('/api/datasources'));
    const found = all.find(({ type }) => type === DATA_SOURCE);
    expect(found, 'a Replay Evidence data source is configured').toBeDefined();
    return { uid: found?.uid ?? '', type: DATA_SOURCE };
  }

  /** Makes a user of that role and gives the name, which is the password too. */
  async user(role: Role): Promise<string> {
    const name = `spec-${role.toLowerCase()}-${randomUUID()}`;
    const answer = await this.request.post('/api/admin/users', { data: { name, login: name, password: name } });
    test.skip(answer.status() === 403, 'only a server administrator can make users of other roles');
    const { id } = await json<{ id: number }>(answer);
    this.made.push(`/api/admin/users/${id}`);
    await json(await this.request.patch(`/api/org/users/${id}`, { data: { role } }));
    return name;
  }

  /** The times of the sides' runs, for a range that shows all of them. */
  async windows(): Promise<Array<{ id: string; start: string; end: string }>> {
    const { sides } = await json<{
      sides: Array<{ runs: Array<{ id: string; window: { start: string; end: string } }> }>;
    }>(await this.request.get(`/api/plugins/${pluginJson.id}/resources/v1/sides`));
    return sides.flatMap(({ runs }) => runs.map(({ id, window }) => ({ id, ...window })));
  }

  async clear() {
    for (const path of this.made.reverse()) {
      await this.request.delete(path);
    }
  }
}

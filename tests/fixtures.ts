import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { expect, Page, test as base } from '@playwright/test';

import pluginJson from '../src/plugin.json';

export { expect };

export const PLUGIN_ID = pluginJson.id;
export const onGrafana = Boolean(process.env.GRAFANA_URL);

/** The settings of the app as provisioning would write them. */
export interface HostSettings {
  roots: Array<{ name: string; path?: string }>;
  prometheus: { datasourceUid?: string; url?: string };
  profiles: Array<{ yaml: string }>;
}

/** What an organisation of the test host has configured; see internal/host. */
export interface HostOrg {
  jsonData: HostSettings;
  secureJsonData?: Record<string, string>;
  token?: 'managed' | 'none' | 'refused';
  dataSources: Array<{ uid: string; name: string; type: string; url: string; refuse?: boolean }>;
}

interface Fixtures {
  /** Opens a page of the app: app('compare', { baseline: 'lab/a' }). */
  app: (route?: string, params?: Record<string, string>) => Promise<void>;
  /** Gives the test an organisation of its own that differs from the usual one. Only on the test host. */
  configure: (change: (org: HostOrg) => void) => Promise<void>;
  /** Makes the test's user one of another role. Only on the test host. */
  become: (role: 'None' | 'Viewer' | 'Editor' | 'Admin') => Promise<void>;
  /** Errors that the test expects on the console, by a part of their text. */
  expectConsole: (part: string) => void;
  /** Writes a screenshot of the page in both themes to test-results/screenshots. */
  shoot: (name: string) => Promise<void>;
  /** The checks that every test makes of every page; in use without being named. */
  watch: void;
}

let nextOrg = 1000;

async function signIn(page: Page) {
  const user = process.env.GRAFANA_USER ?? 'admin';
  const password = process.env.GRAFANA_PASSWORD ?? 'admin';
  const answer = await page.request.post('/login', { data: { user, password } });
  expect(answer.ok(), `sign in to Grafana as ${user} (GRAFANA_USER, GRAFANA_PASSWORD)`).toBeTruthy();
}

const expected = new WeakMap<Page, string[]>();

export const test = base.extend<Fixtures>({
  watch: [
    async ({ page, baseURL }, use) => {
      const parts: string[] = [];
      expected.set(page, parts);
      const faults: string[] = [];
      const own = new URL(baseURL ?? '').host;
      page.on('console', (message) => {
        // The browser logs every answer above 399 as an error; tests of error states await theirs.
        const text = `${message.text()} (${message.location().url})`;
        if (message.type() === 'error' && !parts.some((part) => text.includes(part))) {
          faults.push(`console: ${text}`);
        }
      });
      page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (url.protocol.startsWith('http') && url.host !== own) {
          faults.push(`request to an outside host: ${request.url()}`);
        }
      });
      if (onGrafana) {
        await signIn(page);
      }
      await use();
      expect(faults, 'no console error, no uncaught error, no request to an outside host').toEqual([]);
    },
    { auto: true },
  ],
  app: async ({ page }, use) => {
    await use(async (route = '', params = {}) => {
      const query = new URLSearchParams(params).toString();
      await page.goto(`/a/${PLUGIN_ID}/${route}${query ? `?${query}` : ''}`);
    });
  },
  configure: async ({ page, context, baseURL }, use, info) => {
    await use(async (change) => {
      test.skip(onGrafana, 'a real Grafana is configured by its operator');
      const org: HostOrg = JSON.parse(process.env.HOST_ORG ?? '{}');
      change(org);
      const id = nextOrg++ * 100 + info.workerIndex;
      const answer = await page.request.put(`/host/orgs/${id}`, { data: org });
      expect(answer.ok(), await answer.text()).toBeTruthy();
      await context.addCookies([{ name: 'host_org', value: String(id), url: baseURL }]);
    });
  },
  become: async ({ context, baseURL }, use) => {
    await use(async (role) => {
      test.skip(onGrafana, 'the users of a real Grafana are its own');
      await context.addCookies([{ name: 'host_role', value: role, url: baseURL }]);
    });
  },
  expectConsole: async ({ page }, use) => {
    await use((part) => {
      expected.get(page)?.push(part);
    });
  },
  shoot: async ({ page }, use) => {
    await use(async (name) => {
      const dir = path.join(process.cwd(), 'test-results', 'screenshots');
      await mkdir(dir, { recursive: true });
      for (const theme of ['dark', 'light']) {
        const url = new URL(page.url());
        url.searchParams.set('theme', theme);
        await page.goto(url.toString());
        await page.waitForLoadState('networkidle');
        // Nothing is still being loaded; then the page is what a person sees.
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await page.screenshot({ path: path.join(dir, `${name}-${theme}.png`), fullPage: true, animations: 'disabled' });
      }
    });
  },
});

import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { expect, Page, test as base } from '@playwright/test';

import pluginJson from '../src/plugin.json';
import { Grafana, onGrafana, OWN_COMPLAINTS, Role, signIn } from './grafana';
import { grafanaPlaces, hostPlaces, Places } from './places';

export { expect, onGrafana };

export const PLUGIN_ID = pluginJson.id;

/** The sides that the lab makes, in a root called lab. */
export const BASELINE = 'lab/proxymock/results/baseline';
export const CANDIDATE = 'lab/proxymock/results/candidate';

/**
 * A figure of the synthetic lab that the test host serves. A real Grafana shows a run of the lab on some machine, whose
 * figures are of the same form.
 */
export const figure = (exactly: string, ofTheForm: RegExp): string | RegExp => (onGrafana ? ofTheForm : exactly);

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
  /** Makes the test's user one of another role. */
  become: (role: Role) => Promise<void>;
  /** Opens the pages on which panel and data source are met. */
  open: Places;
  /** What a test makes on a real Grafana; null on the test host. */
  grafana: Grafana | null;
  /** Errors that the test expects on the console, by a part of their text. */
  expectConsole: (part: string) => void;
  /** Writes a screenshot of the page in both themes to test-results/screenshots. */
  shoot: (name: string) => Promise<void>;
  /** The checks that every test makes of every page; in use without being named. */
  watch: void;
}

let nextOrg = 1000;

const expected = new WeakMap<Page, string[]>();

export const test = base.extend<Fixtures>({
  watch: [
    async ({ page, baseURL }, use) => {
      const parts: string[] = [];
      expected.set(page, parts);
      const faults: string[] = [];
      const own = new URL(baseURL ?? '').host;
      const ignored = (text: string) =>
        parts.some((part) => text.includes(part)) || (onGrafana && OWN_COMPLAINTS.some((one) => one.test(text)));
      page.on('console', (message) => {
        // The browser logs every answer above 399 as an error; tests of error states await theirs.
        const text = `${message.text()} (${message.location().url})`;
        if (message.type() === 'error' && !ignored(text)) {
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
        await signIn(page.request);
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
  become: async ({ page, context, baseURL, grafana }, use) => {
    await use(async (role) => {
      if (grafana) {
        const name = await grafana.user(role);
        await signIn(page.request, name, name);
      } else {
        await context.addCookies([{ name: 'host_role', value: role, url: baseURL }]);
      }
    });
  },
  open: async ({ page, grafana }, use) => {
    await use(grafana ? grafanaPlaces(page, grafana) : hostPlaces(page));
  },
  grafana: async ({ playwright, baseURL }, use) => {
    if (!onGrafana) {
      await use(null);
      return;
    }
    const request = await playwright.request.newContext({ baseURL });
    await signIn(request);
    const grafana = new Grafana(request);
    await use(grafana);
    await grafana.clear();
    await request.dispose();
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
        if (onGrafana) {
          // Pages load the plugin, and dashboards their panels, only when they are drawn themselves.
          await page.waitForTimeout(5_000);
          await page.waitForLoadState('networkidle');
        }
        // Nothing is still being loaded; then the page is what a person sees.
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await page.screenshot({ path: path.join(dir, `${name}-${theme}.png`), fullPage: true, animations: 'disabled' });
      }
    });
  },
});

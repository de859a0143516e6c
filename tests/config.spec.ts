import { expect, HostOrg, onGrafana, PLUGIN_ID, test } from './fixtures';

const STATUS = 'replay-evidence app status';

test('the configuration page says that the backend is ready', async ({ page, shoot }) => {
  await page.goto(`/plugins/${PLUGIN_ID}`);
  await expect(page.getByTestId(STATUS)).toContainText('The backend is ready');
  await expect(page.getByTestId(STATUS)).toContainText(/(\d+) of \1 roots readable/);
  await expect(page.getByTestId(STATUS)).toContainText('Prometheus answers');
  await shoot('configuration');
});

const faults: Record<string, { change: (org: HostOrg) => void; says: RegExp; next: RegExp }> = {
  'no token': {
    change: (org) => (org.token = 'none'),
    says: /Managed service accounts are off/,
    next: /managed_service_accounts_enabled/,
  },
  'token refused': {
    change: (org) => (org.token = 'refused'),
    says: /Grafana refused the token \(HTTP 401\)/,
    next: /Renew the service account token/,
  },
  'data source not granted': {
    change: (org) => (org.jsonData.prometheus.datasourceUid = 'closed'),
    says: /may not query this data source \(HTTP 403\)/,
    next: /datasources:query/,
  },
  'data source missing': {
    change: (org) => (org.jsonData.prometheus.datasourceUid = 'deleted'),
    says: /no data source with this UID \(HTTP 404\)/,
    next: /Choose the data source again/,
  },
  'Prometheus down': {
    change: (org) => (org.jsonData.prometheus.datasourceUid = 'down'),
    says: /cannot reach the data source's server \(HTTP 502\)/,
    next: /Check the URL in the data source's settings/,
  },
  'root vanished': {
    change: (org) => (org.jsonData.roots = [{ name: 'lab' }, { name: 'gone' }]),
    says: /Root gone/,
    next: /1 of 2 roots readable/,
  },
  'root of nobody': {
    change: (org) => (org.jsonData.roots = [{ name: 'mine' }]),
    says: /configured no root "mine"/,
    next: /0 of 1 roots readable/,
  },
};

for (const [name, { change, says, next }] of Object.entries(faults)) {
  test(`the configuration page tells apart: ${name}`, async ({ page, configure, expectConsole }) => {
    // A failed check is answered with an error status, which the browser logs.
    expectConsole(`/api/plugins/${PLUGIN_ID}/health`);
    await configure(change);
    await page.goto(`/plugins/${PLUGIN_ID}`);
    const status = page.getByTestId(STATUS);
    await expect(status).toContainText('The backend reports a problem');
    await expect(status).toContainText(says);
    await expect(status).toContainText(next);
  });
}

test('a user without a role is told whom to ask', async ({ page, become, expectConsole }) => {
  test.skip(onGrafana, 'without a role, Grafana itself shows no page of plugins');
  expectConsole(`/api/plugins/${PLUGIN_ID}`);
  await become('None');
  await page.goto(`/plugins/${PLUGIN_ID}`);
  const refusal = page.getByRole('region', { name: 'Health' }).getByRole('alert');
  await expect(refusal).toContainText('You may not read replay evidence');
  await expect(refusal).toContainText('Evidence reader');
});

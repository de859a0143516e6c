import type { Page } from '@playwright/test';

import { expect, onGrafana, test } from './fixtures';

const BASELINE = 'lab/proxymock/results/baseline';
const CANDIDATE = 'lab/proxymock/results/candidate';
const SIDES = { 'var-baseline': BASELINE, 'var-candidate': CANDIDATE };

// These are pages of the test host; a Grafana has Explore, dashboards and pages of settings of its own.
test.skip(onGrafana, 'a Grafana has its own editors');

const address = (path: string, query: object = {}, params: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams({ query: JSON.stringify(query), ...params }).toString()}`;

async function pick(page: Page, field: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).first().click();
}

const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click();
const frame = (page: Page, name: string) => page.getByRole('region', { name: `Frame ${name}` });

test('the query editor starts with runs and needs nothing to be chosen', async ({ page, shoot }) => {
  await page.goto(address('/explore'));
  await expect(page.getByRole('combobox', { name: 'Query' })).toHaveValue('Runs');
  await run(page);
  const runs = frame(page, 'runs');
  await expect(runs.getByRole('columnheader')).toContainText(['Side', 'Label', 'Run', 'Kind', 'Start', 'End']);
  await expect(runs.getByRole('row', { name: /results\/candidate\/load/ })).toContainText('177 req/s');
  await pick(page, 'Kind', 'load');
  await run(page);
  await expect(runs.getByRole('row')).toHaveCount(3);
  await shoot('query-runs');
});

test('with variables the default is their comparison', async ({ page, shoot }) => {
  await page.goto(address('/explore', {}, SIDES));
  await expect(page.getByRole('combobox', { name: 'Baseline' })).toHaveValue('$baseline');
  await run(page);
  await expect(frame(page, 'verdict').getByRole('row', { name: /speed improved/ })).toContainText('p95 lower');
  await expect(frame(page, 'evidence').getByRole('row', { name: /Load p95 latency/ })).toContainText('173 ms');
  await shoot('query-comparison');
});

test('a question that lacks a side says so, and takes one from the list', async ({ page }) => {
  await page.goto(address('/explore', { queryType: 'measures' }));
  await expect(page.getByText('Choose a side', { exact: true })).toBeVisible();
  await pick(page, 'Side', BASELINE);
  await expect(page.getByText('Choose a side', { exact: true })).toHaveCount(0);
  await run(page);
  await expect(frame(page, 'measures').getByRole('row', { name: /request\.quantile/ })).toContainText('150–200 ms');
  await page.getByText('Numbers only').click();
  await run(page);
  await expect(frame(page, 'measures').getByRole('columnheader')).toContainText(['Load requests', 'Failed requests']);
});

const ANSWERS: Record<string, { query: object; frame: string; says: RegExp }> = {
  endpoints: { query: {}, frame: 'endpoints', says: /GET \/api\/quote/ },
  differences: { query: {}, frame: 'differences', says: /1 of 1 pair/ },
  statements: { query: {}, frame: 'statements', says: /Neither side holds a recording with SQL statements/ },
  elapsed: { query: { measure: 'waiting' }, frame: 'baseline', says: /baseline: Requests waiting/ },
};

for (const [queryType, { query, frame: name, says }] of Object.entries(ANSWERS)) {
  test(`${queryType} is answered`, async ({ page }) => {
    await page.goto(
      address('/explore', { queryType, baseline: '$baseline', candidate: '$candidate', ...query }, SIDES)
    );
    await run(page);
    await expect(frame(page, name)).toContainText(says);
  });
}

test('an error of the backend reaches the panel with its next step', async ({ page, expectConsole }) => {
  expectConsole('/api/ds/query');
  await page.goto(address('/explore', { queryType: 'measures', side: 'lab/nowhere' }));
  await run(page);
  await expect(page.getByRole('alert')).toContainText('lab/nowhere');
});

test('annotations are the windows of runs, as regions', async ({ page, shoot }) => {
  await page.goto(address('/d/annotations'));
  await run(page);
  const windows = frame(page, 'windows');
  await expect(windows.getByRole('columnheader')).toContainText(['time', 'timeEnd', 'title', 'text', 'tags']);
  const all = await windows.getByRole('row').count();
  await pick(page, 'Baseline', BASELINE);
  await run(page);
  await expect(windows.getByRole('row', { name: /baseline: load run/ })).toContainText('1,200 requests');
  expect(await windows.getByRole('row').count()).toBeLessThan(all);
  await shoot('annotations');
});

test('variables offer sides, runs and endpoints, and never the baseline as the candidate', async ({ page, shoot }) => {
  const values = page.getByRole('list', { name: 'Values' }).getByRole('listitem');
  await page.goto(address('/d/variables', { queryType: 'sides' }, SIDES));
  await run(page);
  await expect(values).toHaveText([BASELINE, CANDIDATE]);
  await pick(page, 'Except', '$baseline');
  await run(page);
  await expect(values).toHaveText([CANDIDATE]);
  await shoot('variables');
  await pick(page, 'Values', /Runs/);
  await pick(page, 'Kind', 'load');
  await run(page);
  await expect(values).toHaveText([`${BASELINE}/load`, `${CANDIDATE}/load`]);
  await pick(page, 'Values', /Endpoints/);
  await pick(page, 'Side', '$candidate');
  await run(page);
  await expect(values).toHaveText(['GET /api/quote']);
});

test('the data source has settings of its own and says how it is', async ({ page, shoot }) => {
  await page.goto('/connections/datasources/edit');
  await expect(page.getByText('These settings belong to this data source alone')).toBeVisible();
  await page.getByRole('button', { name: 'Test' }).click();
  await expect(page.getByRole('status', { name: 'Tested' })).toContainText('1 of 1 roots readable');
  await expect(page.getByRole('status', { name: 'Tested' })).toContainText('Prometheus answers');
  await shoot('datasource-settings');
  await page.getByRole('radio', { name: 'URL' }).check({ force: true });
  await page.getByRole('textbox', { name: 'URL' }).fill('http://prometheus:9090');
  await expect(page.getByTestId('settings')).toContainText('"prometheus":{"url":"http://prometheus:9090"}');
});

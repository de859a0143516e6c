import type { Page } from '@playwright/test';

import { BASELINE, CANDIDATE, expect, figure, onGrafana, test } from './fixtures';

const SIDES = { baseline: BASELINE, candidate: CANDIDATE };
const PAIR = { baseline: '$baseline', candidate: '$candidate' };

async function pick(page: Page, field: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option }).first().click();
}

const RUN = onGrafana ? /^(Run query|Test annotation query)$/ : 'Run';
const run = (page: Page) => page.getByRole('button', { name: RUN, exact: true }).click();
/** A frame of the answer as a table; Grafana's Explore calls it so too. */
const frame = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^(Frame|Table -) ${name}$`) });

test('the query editor starts with runs and needs nothing to be chosen', async ({ page, open, shoot }) => {
  await open.query();
  await expect(page.getByRole('combobox', { name: 'Query', exact: true })).toHaveValue('Runs');
  await run(page);
  const runs = frame(page, 'runs');
  await expect(runs.getByRole('columnheader')).toContainText(['Side', 'Label', 'Run', 'Kind', 'Start', 'End']);
  await expect(runs.getByRole('row', { name: /results\/candidate\/load/ })).toContainText(
    figure('177 req/s', /[\d.]+ req\/s/)
  );
  await pick(page, 'Kind', 'load');
  await run(page);
  await expect(runs.getByRole('row')).toHaveCount(3);
  await shoot('query-runs');
});

test('with variables the default is their comparison', async ({ page, open, shoot }) => {
  await open.newQuery(SIDES);
  await expect(page.getByRole('combobox', { name: 'Baseline', exact: true })).toHaveValue('$baseline');
  await expect(page.getByRole('combobox', { name: 'Candidate', exact: true })).toHaveValue('$candidate');
  if (onGrafana) {
    // A new panel asks at once; which answer it shows is the panel's affair.
    await expect(page.getByRole('region', { name: 'New' })).toContainText(/Improved, p95 lower/);
  } else {
    await run(page);
    await expect(frame(page, 'verdict').getByRole('row', { name: /speed improved/ })).toContainText('p95 lower');
  }
  await shoot('query-default');
});

test('a question that lacks a side says so, and takes one from the list', async ({ page, open, expectConsole }) => {
  // Explore asks what its address says at once, complete or not.
  expectConsole('/api/ds/query');
  await open.query({ queryType: 'measures' });
  await expect(page.getByText('Choose a side', { exact: true })).toBeVisible();
  await pick(page, 'Side', BASELINE);
  await expect(page.getByText('Choose a side', { exact: true })).toHaveCount(0);
  await run(page);
  await expect(frame(page, 'measures').getByRole('row', { name: /request\.quantile/ })).toContainText(
    figure('150–200 ms', /[\d.]+–[\d.]+ ms/)
  );
  // The switch lies below its label.
  await page.getByRole('switch', { name: 'Numbers only' }).check({ force: true });
  await run(page);
  await expect(frame(page, 'measures').getByRole('columnheader')).toContainText(['Load requests', 'Failed requests']);
});

test('a comparison is answered in words and as the evidence table', async ({ page, open, shoot }) => {
  await open.query({ queryType: 'comparison', ...PAIR }, SIDES);
  await run(page);
  await expect(frame(page, 'verdict').getByRole('row', { name: /speed improved/ })).toContainText('p95 lower');
  await expect(frame(page, 'evidence').getByRole('row', { name: /Load p95 latency/ })).toContainText(
    figure('173 ms', /\d+ ms/)
  );
  await shoot('query-comparison');
});

test('endpoints are answered', async ({ page, open }) => {
  await open.query({ queryType: 'endpoints', ...PAIR }, SIDES);
  await run(page);
  await expect(frame(page, 'endpoints')).toContainText('GET /api/quote');
});

for (const [queryType, says] of [
  ['differences', /1 of 1 pair/],
  ['statements', /Neither side holds a recording with SQL statements/],
] as const) {
  test(`that there are no ${queryType} is said`, async ({ page, open }) => {
    await open.query({ queryType, ...PAIR }, SIDES);
    await run(page);
    if (onGrafana) {
      // Explore shows what an answer says about itself above the query.
      await page.getByText(/^\d+ infos?$/).hover();
    }
    await expect(page.getByText(says).first()).toBeVisible();
  });
}

test('elapsed is answered', async ({ page, open }) => {
  await open.query({ queryType: 'elapsed', ...PAIR, measure: 'waiting' }, SIDES);
  await run(page);
  const answer = onGrafana ? page.getByRole('region', { name: 'Graph' }) : frame(page, 'baseline');
  await expect(answer).toContainText('baseline: Requests waiting');
});

test('an error of the backend reaches the panel with its next step', async ({ page, open, expectConsole }) => {
  expectConsole('/api/ds/query');
  await open.query({ queryType: 'measures', side: 'lab/nowhere' });
  await run(page);
  await expect(page.getByText(/no side "lab\/nowhere"/)).toBeVisible();
});

test('annotations are the windows of runs, as regions', async ({ page, open, shoot }) => {
  await open.annotation();
  await run(page);
  // Grafana tells how many there are and shows the first; the host lists them.
  const told = page.getByRole('status', { name: 'Query result' });
  const windows = frame(page, 'windows');
  const count = async () => {
    await expect(onGrafana ? told.getByText(/\d+ events/) : windows).toBeVisible();
    return onGrafana ? Number(/(\d+) events/.exec(await told.innerText())?.[1]) : windows.getByRole('row').count();
  };
  const all = await count();
  await expect(onGrafana ? page.getByRole('table') : windows).toContainText(/time.*timeEnd.*title.*text.*tags/s);
  await pick(page, 'Baseline', BASELINE);
  await pick(page, 'Kind', 'load');
  await run(page);
  await expect(page.getByRole(onGrafana ? 'table' : 'region').first()).toContainText('baseline: load run');
  await expect(page.getByText(/1,200 requests/).first()).toBeVisible();
  expect(await count()).toBeLessThan(all);
  await shoot('annotations');
});

test('variables offer sides, runs and endpoints, and never the baseline as the candidate', async ({
  page,
  open,
  shoot,
}) => {
  const values = onGrafana
    ? page.getByTestId('data-testid Variable editor Preview of Values option')
    : page.getByRole('list', { name: 'Values' }).getByRole('listitem');
  const is = (value: string) => (onGrafana ? new RegExp(`^(.* \\()?${value}\\)?$`) : value);
  await open.variable({ queryType: 'sides' }, SIDES);
  await run(page);
  await expect(values).toHaveText([is(BASELINE), is(CANDIDATE)]);
  await pick(page, 'Except', '$baseline');
  await run(page);
  await expect(values).toHaveText([is(CANDIDATE)]);
  await shoot('variables');
  await pick(page, 'Values', /Runs/);
  await pick(page, 'Kind', 'load');
  await run(page);
  await expect(values).toHaveText([is(`${BASELINE}/load`), is(`${CANDIDATE}/load`)]);
  await pick(page, 'Values', /Endpoints/);
  await pick(page, 'Side', '$candidate');
  await run(page);
  await expect(values).toHaveText([is('GET /api/quote')]);
});

test('the data source has settings of its own and says how it is', async ({ page, open, shoot }) => {
  await open.settings();
  await expect(page.getByText('These settings belong to this data source alone')).toBeVisible();
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const tested = page.getByRole('status').filter({ hasText: /roots readable/ });
  await expect(tested).toContainText(/(\d+) of \1 roots readable/);
  await expect(tested).toContainText('Prometheus answers');
  await shoot('datasource-settings');
  // What is provisioned is not changed.
  if (!onGrafana) {
    await page.getByRole('radio', { name: 'URL' }).check({ force: true });
    await page.getByRole('textbox', { name: 'URL' }).fill('http://prometheus:9090');
    await expect(page.getByTestId('settings')).toContainText('"prometheus":{"url":"http://prometheus:9090"}');
  }
});

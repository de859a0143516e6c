import { readFile } from 'node:fs/promises';

import { BASELINE, CANDIDATE, expect, figure, onGrafana, PLUGIN_ID, test } from './fixtures';

const SIDES = { baseline: BASELINE, candidate: CANDIDATE, profile: 'checkout' };
const answer = (question: string) => `replay-evidence answer ${question}`;

test('a person picks two sides and reads three answers', async ({ page, app, shoot }) => {
  await app('runs');
  const grid = page.getByRole('grid');
  await expect(grid.getByText('1,200').first()).toBeVisible();
  await shoot('runs');
  await page.getByRole('button', { name: /^baseline: baseline/ }).click();
  await page.getByRole('button', { name: /^candidate: candidate/ }).click();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(/\/compare\?/);
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByTestId(answer('Speed'))).toContainText(
    figure('p95 lower by at least 100 ms', /p95 lower by at least [\d.]+ ms/)
  );
  await expect(page.getByTestId(answer('Cause'))).toContainText('Wait');
  await expect(page.getByText('Prometheus saw 1,200 of 1,200 requests on both sides')).toBeVisible();
  await shoot('compare');
});

test('the whole of it works from the keyboard', async ({ page, app }) => {
  await app('runs');
  await expect(page.getByRole('grid').getByText('1,200').first()).toBeVisible();
  // The newest run stands first: the candidate, below it the baseline.
  await page.getByRole('grid').focus();
  await page.keyboard.press('c');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/candidate=/);
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
});

test('a proof names the question, its exact time and what came back, and its address can be shared', async ({
  page,
  app,
  context,
}) => {
  await app('compare', SIDES);
  await page.getByText('Prometheus p95 request duration', { exact: true }).first().click();
  const drawer = page.getByRole('dialog', { name: /Prometheus p95 request duration/ });
  await expect(drawer).toContainText('histogram_quantile(0.95, sum by (le) (increase(');
  await expect(drawer).toContainText('checkout_request_duration_seconds_bucket');
  const shared = await context.newPage();
  await shared.goto(page.url());
  await expect(shared.getByRole('dialog', { name: /Prometheus p95 request duration/ })).toContainText(
    'histogram_quantile(0.95'
  );
  await shared.close();
});

test('the evidence is exported as JSON and as Markdown', async ({ page, app }) => {
  await app('compare', SIDES);
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
  for (const [item, name, says] of [
    [/JSON/, 'evidence.json', '"schemaVersion"'],
    [/Markdown/, 'evidence.md', '### Result'],
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    const file = await download;
    expect(file.suggestedFilename()).toContain(name.split('.')[1]);
    expect(await readFile(await file.path(), 'utf8')).toContain(says);
  }
});

test('one side shows the boundary of its recording, masked', async ({ page, app, become, shoot }) => {
  await become('Viewer');
  await app('side', { side: BASELINE });
  await expect(page.getByText('GET /api/quote?sku=SSC-4110&qty=3').first()).toBeVisible();
  await expect(page.getByText(/\/v1\/price\/SSC-4110/).first()).toBeVisible();
  await expect(page.getByText('5697')).toHaveCount(0);
  await shoot('side');
});

test('a side that is gone says so, and where to go', async ({ page, app, expectConsole }) => {
  expectConsole('/resources/v1/compare');
  await app('compare', { ...SIDES, candidate: 'lab/proxymock/results/nowhere' });
  await expect(page.getByRole('alert').first()).toContainText('Side not found');
  await expect(page.getByRole('alert').first()).toContainText('refresh the list of runs');
});

test('without Prometheus behaviour is answered and the rest says what is missing', async ({ page, app, configure }) => {
  await configure((org) => (org.jsonData.prometheus.datasourceUid = 'down'));
  await app('compare', SIDES);
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByTestId(answer('Cause'))).toContainText('Inconclusive');
  await expect(page.getByText('173 ms').first()).toBeVisible();
});

test('a refused data source is told apart from one that is down', async ({ page, app, configure }) => {
  await configure((org) => (org.jsonData.prometheus.datasourceUid = 'closed'));
  await app('compare', SIDES);
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByTestId(answer('Cause'))).toContainText(/refused|403/);
});

test('a half-written summary and a vanished root cost only themselves', async ({ page, app, configure, shoot }) => {
  await configure((org) => (org.jsonData.roots = [{ name: 'lab' }, { name: 'broken' }, { name: 'gone' }]));
  await app('runs');
  const grid = page.getByRole('grid');
  await expect(grid.getByText('1,200').first()).toBeVisible();
  await expect(grid.getByRole('row', { name: /half-written/ })).toContainText(/incomplete|half|ends before/i);
  await expect(page.getByText(/gone/).first()).toBeVisible();
  await shoot('runs-problems');
});

test('a user without a role is refused on every page', async ({ page, app, become, expectConsole }) => {
  expectConsole(`/api/plugins/${PLUGIN_ID}/resources`);
  await become('None');
  if (onGrafana) {
    // Grafana leads such a user away from the pages of apps; what they ask is refused all the same.
    const refused = await page.request.get(`/api/plugins/${PLUGIN_ID}/resources/v1/sides`);
    expect(refused.status()).toBe(403);
    return;
  }
  for (const route of ['runs', 'compare', 'side']) {
    await app(route, { ...SIDES, side: BASELINE });
    await expect(page.getByRole('alert').first()).toContainText(/not allowed|may not read/i);
  }
});

test('a narrow screen keeps the three answers', async ({ page, app }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await app('compare', SIDES);
  for (const question of ['Behaviour', 'Speed', 'Cause']) {
    const card = page.getByTestId(answer(question));
    await expect(card).toBeVisible();
    const box = await card.boundingBox();
    expect(box && box.x + box.width, `${question} fits the screen`).toBeLessThanOrEqual(401);
  }
});

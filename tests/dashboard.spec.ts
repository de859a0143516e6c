import { BASELINE, CANDIDATE, expect, onGrafana, test } from './fixtures';

const answer = (question: string) => `replay-evidence answer ${question}`;

// The provisioned dashboard, and what leads out of the app into the rest of Grafana.
test.skip(!onGrafana, 'the test host has neither dashboards nor Explore');

test('the provisioned dashboard chooses the sides, answers, and draws their windows', async ({
  page,
  grafana,
  shoot,
}) => {
  const windows = (await grafana?.windows()) ?? [];
  const ours = windows.filter(({ id }) => id.startsWith(`${BASELINE}/`) || id.startsWith(`${CANDIDATE}/`));
  const times = ours.flatMap(({ start, end }) => [Date.parse(start), Date.parse(end)]);
  const from = Math.min(...times) - 10_000;
  const to = Math.max(...times) + 10_000;
  await page.goto(`/d/replay-evidence?from=${from}&to=${to}`);
  await expect(page).toHaveURL(new RegExp(`var-baseline=${encodeURIComponent(BASELINE)}(&|$)`));
  await expect(page).toHaveURL(new RegExp(`var-candidate=${encodeURIComponent(CANDIDATE)}(&|$)`));
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
  await expect(page.getByTestId(answer('Cause'))).toContainText('Wait');
  // Each window is a marker below a chart.
  const chart = page.getByRole('region', { name: 'Request duration, p95' });
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.getByTestId('data-testid annotation-marker')).toHaveCount(ours.length);
  await expect(page.getByTestId(/^data-testid Panel status error/)).toHaveCount(0);
  await shoot('dashboard');
});

test('Explore is opened with the question and exactly its window', async ({ page, app }) => {
  await app('compare', { baseline: BASELINE, candidate: CANDIDATE, profile: 'checkout' });
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
  const link = page.getByRole('link', { name: 'Open in Explore' }).first();
  test.skip((await link.count()) === 0, 'the app asks Prometheus at a URL; Explore needs a data source');
  const href = await link.getAttribute('href');
  const panes: Record<string, { range: { from: string; to: string }; queries: Array<{ expr: string }> }> = JSON.parse(
    new URL(href ?? '', page.url()).searchParams.get('panes') ?? '{}'
  );
  await page.goto(href ?? '');
  for (const { range, queries } of Object.values(panes)) {
    // Grafana keeps the address up to date with what its panes show.
    await expect(page).toHaveURL(new RegExp(`${range.from}.*${range.to}`));
    expect(queries[0]?.expr).toContain('checkout_request_duration_seconds_bucket');
  }
  await expect(page.getByText(/^Result series: [1-9]/)).toHaveCount(Object.keys(panes).length);
});

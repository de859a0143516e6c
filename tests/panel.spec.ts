import { BASELINE, CANDIDATE, expect, figure, onGrafana, test } from './fixtures';

const SIDES = { baseline: BASELINE, candidate: CANDIDATE };
const answer = (question: string) => `replay-evidence answer ${question}`;
const LOWER = figure('p95 lower by at least 100 ms', /p95 lower by at least [\d.]+ ms/);

test('a large panel shows answers, table and picture of what the variables choose', async ({ page, open, shoot }) => {
  await open.panel({ variables: SIDES, width: 1300, height: 760 });
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
  await expect(page.getByTestId(answer('Speed'))).toContainText(LOWER);
  await expect(page.getByTestId(answer('Cause'))).toContainText('Wait');
  await expect(page.getByRole('row', { name: /Prometheus p95 request duration/ })).toContainText(
    figure('150–200 ms', /[\d.]+–[\d.]+ ms/)
  );
  await expect(page.getByTestId('replay-evidence request time')).toContainText('pricing connection');
  await expect(page.getByRole('link', { name: 'Open the comparison' })).toHaveAttribute(
    'href',
    `/a/replaylab-evidence-app/compare?baseline=${encodeURIComponent(BASELINE)}&candidate=${encodeURIComponent(CANDIDATE)}`
  );
  await shoot('panel-large');
});

const SIZES = [
  { name: 'small', width: 280, height: 150, headline: false, table: false },
  { name: 'narrow', width: 190, height: 240, headline: false, table: false },
  { name: 'medium', width: 760, height: 190, headline: true, table: false },
  { name: 'half', width: 700, height: 520, headline: true, table: true },
];

for (const { name, width, height, headline, table } of SIZES) {
  test(`a ${name} panel shows what there is room for`, async ({ page, open, shoot }) => {
    await open.panel({ variables: SIDES, width, height });
    await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
    await expect(page.getByText(LOWER)).toHaveCount(headline ? 1 : 0);
    // The picture's own table of figures is folded; the evidence table is not.
    await expect(page.getByRole('columnheader', { name: 'Measure' })).toHaveCount(table ? 1 : 0);
    const box = await page.getByTestId(answer('Cause')).boundingBox();
    expect(box && box.width, 'the last answer is not squeezed away').toBeGreaterThan(60);
    await shoot(`panel-${name}`);
  });
}

test('the user picks the parts', async ({ page, open, shoot }) => {
  await open.panel({ variables: SIDES, options: { parts: ['time'] }, width: 640, height: 300 });
  await expect(page.getByTestId('replay-evidence request time')).toBeVisible();
  await expect(page.getByTestId(answer('Speed'))).toHaveCount(0);
  await shoot('panel-time');
  await open.panel({ variables: SIDES, options: { parts: ['table'] }, width: 900, height: 460 });
  await expect(page.getByRole('columnheader', { name: 'Bounds and source' })).toBeVisible();
  await shoot('panel-table');
});

test('sides chosen in the options do without variables, and the editor offers what there is', async ({
  page,
  open,
  shoot,
}) => {
  await open.panelOptions();
  await expect(page.getByRole('alert')).toContainText('no variable called baseline');
  await shoot('panel-options');
  for (const [option, side] of [
    ['Baseline', BASELINE],
    ['Candidate', CANDIDATE],
  ] as const) {
    const picker = page.getByRole('combobox', { name: option });
    await picker.click();
    await page.getByRole('option', { name: side }).first().click();
  }
  await expect(page.getByTestId(answer('Speed'))).toContainText('Improved');
});

test('a side that does not exist is explained with the next step', async ({ page, open, expectConsole, shoot }) => {
  expectConsole('v1/compare');
  await open.panel({ variables: { baseline: BASELINE, candidate: 'lab/nowhere' }, width: 620, height: 300 });
  await expect(page.getByRole('alert')).toContainText('lab/nowhere');
  await expect(page.getByRole('alert')).toContainText('Next step:');
  await shoot('panel-problem');
});

test('without Prometheus the answers stay and the picture says what is missing', async ({ page, open, configure }) => {
  await configure((org) => (org.jsonData.prometheus = {}));
  await open.panel({ variables: SIDES, width: 1000, height: 600 });
  await expect(page.getByTestId(answer('Behaviour'))).toContainText('Unchanged');
  await expect(page.getByText(/The account of a request’s time is missing/)).toBeVisible();
});

test('who may not use the app is told so', async ({ page, open, become, expectConsole }) => {
  test.skip(onGrafana, 'without a role, Grafana itself shows no dashboard');
  expectConsole('v1/compare');
  await become('None');
  await open.panel({ variables: SIDES, width: 620, height: 300 });
  await expect(page.getByRole('alert')).toContainText('You may not read replay evidence');
});

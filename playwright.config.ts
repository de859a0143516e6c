import { defineConfig } from '@playwright/test';

// Either a real Grafana with the plugin installed (GRAFANA_URL), or the test host; `go tool mage browserTest` runs both.
const onGrafana = Boolean(process.env.GRAFANA_URL);
const baseURL = process.env.GRAFANA_URL ?? process.env.HOST_URL;
if (!baseURL) {
  throw new Error('Run `go tool mage browserTest`, or set GRAFANA_URL to a Grafana that has the plugin.');
}

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results/output',
  // The machine is small and the tests share one plugin process.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes only at the second try is a fault.
  retries: 0,
  // Grafana loads far more than the test host before it shows a page, and every test does so afresh.
  timeout: onGrafana ? 240_000 : 60_000,
  expect: { timeout: onGrafana ? 60_000 : 20_000 },
  reporter: [['list'], ['json', { outputFile: './test-results/report.json' }]],
  use: {
    baseURL,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Chromium refuses to run as root in its sandbox, which is how it runs in a container. The rest keeps the browser
      // itself from asking the outside.
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-background-networking',
        '--no-first-run',
      ],
    },
  },
});

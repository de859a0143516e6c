import { readFileSync } from 'node:fs';
import path from 'node:path';
import React from 'react';
import { Observable, of, throwError } from 'rxjs';

import { BackendSrvRequest, setBackendSrv } from '@grafana/runtime';
import { configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { mockLayout } from '../../pages/layoutMock';
import type { HealthDetails, SettingsResponse } from '../../types/generated';
import { testIds } from '../testIds';
import AppConfig from './AppConfig';
import { Payload, PluginSettings } from './settings';

// The real editor needs a browser; a text area has what matters here, a value that changes.
jest.mock('@grafana/ui', () => ({
  ...jest.requireActual('@grafana/ui'),
  CodeEditor: ({
    value,
    readOnly,
    onChange,
  }: {
    value: string;
    readOnly: boolean;
    onChange: (value: string) => void;
  }) => (
    <textarea
      aria-label="Profile"
      value={value}
      readOnly={readOnly}
      onChange={(event) => onChange(event.target.value)}
    />
  ),
}));

mockLayout();
// Looking up whether each element can be seen takes jsdom most of the time of these tests.
configure({ defaultHidden: true });

const contract = JSON.parse(
  readFileSync(path.join(__dirname, '../../../pkg/plugin/testdata/contract/settings.json'), 'utf8')
) as SettingsResponse;
const settings: SettingsResponse = { ...contract, operatorRoots: ['lab', 'nfs'] };

const PROFILE = 'name: checkout\ntarget:\n  job: checkout-api\n';

const stored: PluginSettings = {
  enabled: true,
  pinned: true,
  jsonData: { prometheus: { url: 'http://prometheus:9090' }, profiles: [{ yaml: PROFILE }] },
  secureJsonFields: {},
};

const healthy: HealthDetails = {
  apiVersion: '1',
  prometheus: 'ok',
  prometheusText: 'Prometheus answers',
  prometheusNext: '',
  roots: [{ name: 'lab', readable: true, message: '', sides: 3, runs: 5 }],
  runs: 5,
  problems: [],
};

const CHECK = {
  apiVersion: '1',
  valid: true,
  lines: [
    {
      subject: 'request.metric',
      state: 'ok',
      text: 'this histogram exists, 14 buckets, 1 s scrape, 1,200 observations in the newest load run',
      next: '',
    },
    { subject: 'cpu', state: 'warning', text: 'no CPU counter was found', next: 'Name the counter of CPU seconds.' },
  ],
};

const fetch = jest.fn();
let kept: PluginSettings;

function open({
  start = stored,
  canConfigure = true,
  health = healthy,
  save = () => of({ data: { message: 'Plugin settings updated' } }),
}: {
  start?: PluginSettings;
  canConfigure?: boolean;
  health?: HealthDetails;
  save?: (payload: Payload) => Observable<unknown>;
} = {}) {
  kept = start;
  fetch.mockReset();
  fetch.mockImplementation(({ url, method, data }: BackendSrvRequest) => {
    if (url.endsWith('/health')) {
      const ok = health.prometheus === 'ok' && health.problems.length === 0;
      const body = { status: ok ? 'OK' : 'ERROR', message: '1 of 1 roots readable, 5 runs found.', details: health };
      return ok ? of({ data: body }) : throwError(() => ({ status: 503, data: body }));
    }
    if (url.endsWith('/v1/settings')) {
      return of({ data: { ...settings, canConfigure } });
    }
    if (url.endsWith('/v1/profile/check')) {
      return of({ data: CHECK });
    }
    if (method === 'POST') {
      const { jsonData, enabled, pinned, secureJsonData } = data as Payload;
      const fields = Object.fromEntries(Object.entries(secureJsonData).map(([name, value]) => [name, value !== '']));
      kept = { enabled, pinned, jsonData, secureJsonFields: { ...kept.secureJsonFields, ...fields } };
      return save(data as Payload);
    }
    return of({ data: kept });
  });
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  render(<AppConfig />);
}

const posted = (): Payload[] =>
  fetch.mock.calls
    .map(([request]: [BackendSrvRequest]) => request)
    .filter(({ url, method }) => method === 'POST' && url.endsWith('/settings'))
    .map(({ data }) => data as Payload);

const form = async () => within(await screen.findByRole('form', { name: 'Configuration' }));

test('saves what was changed, keeps the rest, and forgets typed secrets', async () => {
  const user = userEvent.setup();
  open();
  const page = await form();
  await user.click(page.getByLabelText('Basic authentication'));
  await user.type(page.getByLabelText('User'), 'reader');
  await user.type(page.getByLabelText('Password'), 'secret');
  await user.type(page.getByLabelText('Quantile'), '0.99');
  await user.click(page.getByRole('button', { name: 'Save' }));

  await screen.findByText('Saved. The backend answers with it from now on.');
  expect(posted()).toEqual([
    {
      enabled: true,
      pinned: true,
      jsonData: { ...stored.jsonData, basicAuth: true, basicAuthUser: 'reader', quantile: 0.99 },
      secureJsonData: { basicAuthPassword: 'secret' },
    },
  ]);
  const fresh = await form();
  expect(fresh.queryByDisplayValue('secret')).not.toBeInTheDocument();
  expect(fresh.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('picks and narrows a root of the operator', async () => {
  const user = userEvent.setup();
  open();
  const page = await form();
  await user.click(page.getByLabelText('Only these'));
  await user.click(await page.findByLabelText('lab'));
  await user.type(page.getByLabelText('Directory below lab'), 'team/a');
  await user.click(page.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]?.jsonData.roots).toEqual([{ name: 'lab', path: 'team/a' }]);
});

test('without a picker the data source is named by its UID', async () => {
  const user = userEvent.setup();
  open();
  const page = await form();
  await user.click(page.getByLabelText('Data source'));
  await user.type(await page.findByPlaceholderText(/^UID/), 'prom');
  await user.click(page.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]?.jsonData.prometheus).toEqual({ datasourceUid: 'prom' });
});

test('what would not work is named and not sent', async () => {
  const user = userEvent.setup();
  open();
  const page = await form();
  await user.clear(page.getByPlaceholderText('http://prometheus:9090'));
  await user.click(page.getByRole('button', { name: 'Save' }));
  expect(page.getByRole('status', { name: 'Saving' })).toHaveTextContent(
    'One field needs another look: This is not a URL'
  );
  expect(posted()).toEqual([]);
});

test('a refused save shows why and keeps what was typed', async () => {
  const user = userEvent.setup();
  open({ save: () => throwError(() => ({ status: 403, data: { message: 'plugins:write' } })) });
  const page = await form();
  await user.type(page.getByLabelText('Quantile'), '0.9');
  await user.click(page.getByRole('button', { name: 'Save' }));
  expect(await page.findByRole('alert')).toHaveTextContent('plugins:write');
  expect(page.getByLabelText('Quantile')).toHaveValue('0.9');
});

test('changes can be discarded', async () => {
  const user = userEvent.setup();
  open();
  const page = await form();
  await user.type(page.getByLabelText('Quantile'), '0.9');
  expect(page.getByText('There are changes that are not saved.')).toBeInTheDocument();
  await user.click(page.getByRole('button', { name: 'Discard changes' }));
  expect(page.getByLabelText('Quantile')).toHaveValue('');
});

test('who may not configure the app reads everything and changes nothing', async () => {
  const user = userEvent.setup();
  open({ canConfigure: false });
  const page = await form();
  expect(await page.findByText('You cannot save this')).toBeInTheDocument();
  for (const name of ['Quantile', 'Every root of the operator', 'Basic authentication']) {
    expect(page.getByLabelText(name)).toBeDisabled();
  }
  expect(page.getByPlaceholderText('http://prometheus:9090')).toBeDisabled();
  expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(page.getByLabelText('Profile')).toHaveAttribute('readonly');
  // A profile can still be folded.
  await user.click(page.getByRole('button', { name: 'checkout' }));
  expect(page.queryByLabelText('Profile')).not.toBeInTheDocument();
});

test('an app that is switched off says so and can be switched on', async () => {
  const user = userEvent.setup();
  open({ start: { ...stored, enabled: false, pinned: false } });
  const page = await form();
  expect(page.getByText('The app is switched off in this organisation')).toBeInTheDocument();
  await user.click(page.getByRole('button', { name: 'Save and switch on' }));
  await waitFor(() => expect(posted()[0]).toMatchObject({ enabled: true, pinned: true }));
});

test('a profile is checked against the server, line by line', async () => {
  open();
  const page = await form();
  expect(await page.findByText(/14 buckets, 1 s scrape, 1,200 observations/)).toBeInTheDocument();
  expect(page.getByText('Name the counter of CPU seconds.')).toBeInTheDocument();
  const asked = fetch.mock.calls.map(([request]: [BackendSrvRequest]) => request);
  expect(asked.find(({ url }) => url.endsWith('/v1/profile/check'))).toMatchObject({ method: 'POST', data: PROFILE });
});

test('a new profile starts from a template and can be removed', async () => {
  const user = userEvent.setup();
  open({ start: { ...stored, jsonData: {} } });
  const page = await form();
  await user.click(page.getByRole('button', { name: 'Add a profile' }));
  expect(page.getByLabelText<HTMLTextAreaElement>('Profile').value).toContain('metric: http_request_duration_seconds');
  await user.click(page.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(posted()[0]?.jsonData.profiles?.[0]?.yaml).toContain('name: my-service'));
});

describe('health', () => {
  const shown = async () => screen.findByTestId(testIds.appStatus);

  test.each([
    ['no_token', 'There is no token for Grafana’s data source proxy'],
    ['token_refused', 'Grafana refused the token'],
    ['not_allowed', 'The query was not allowed'],
    ['datasource_missing', 'The data source does not exist'],
    ['prometheus_down', 'Prometheus cannot be reached'],
    ['not_prometheus', 'What answers is not Prometheus'],
    ['not_configured', 'Prometheus is not configured'],
    ['a code of a newer backend', 'Prometheus could not be asked'],
  ])('%s stands apart, with its next step', async (prometheus, title) => {
    open({ health: { ...healthy, prometheus, prometheusText: 'the cause', prometheusNext: 'Do this.' } });
    const status = await shown();
    expect(within(status).getByText(title)).toBeInTheDocument();
    expect(status).toHaveTextContent('the cause');
    expect(status).toHaveTextContent('Next step: Do this.');
  });

  test('a root that cannot be read is told once, with what to do; other settings stand apart', async () => {
    const message = 'root "gone" cannot be opened';
    open({
      health: {
        ...healthy,
        roots: [...healthy.roots, { name: 'gone', readable: false, message, sides: 0, runs: 0 }],
        problems: [
          { setting: 'roots', message, next: 'Create the directory.' },
          { setting: 'quantile', message: '95 is not between 0 and 1', next: 'Use 0.95.' },
        ],
      },
    });
    const status = within(await shown());
    expect(status.getByText('Root lab is readable')).toBeInTheDocument();
    expect(status.getAllByText(message)).toHaveLength(1);
    expect(status.getByText(/Create the directory/)).toBeInTheDocument();
    expect(status.getByText('Setting quantile')).toBeInTheDocument();
  });

  test('can be asked for again', async () => {
    const user = userEvent.setup();
    open();
    await shown();
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    const checks = () => fetch.mock.calls.filter(([request]: [BackendSrvRequest]) => request.url.endsWith('/health'));
    await waitFor(() => expect(checks()).toHaveLength(2));
  });
});

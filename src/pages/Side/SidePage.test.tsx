import { readFileSync } from 'node:fs';
import path from 'node:path';
import React from 'react';
import { MemoryRouter } from 'react-router-dom';
import { of, throwError } from 'rxjs';

import { BackendSrvRequest, config, setBackendSrv } from '@grafana/runtime';
import { configure, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type {
  BoundaryCall,
  BoundaryResponse,
  Comparison,
  EvidenceSide,
  SettingsResponse,
  SidesResponse,
} from '../../types/generated';
import { mockLayout } from '../layoutMock';
import SidePage from './SidePage';

const contract = <T,>(name: string): T =>
  JSON.parse(readFileSync(path.join(__dirname, '../../../pkg/plugin/testdata/contract', name), 'utf8')) as T;

const sides = contract<SidesResponse>('sides.json');
const settings = contract<SettingsResponse>('settings.json');
const measured = contract<Comparison>('comparison.json').sides.baseline;
const plain = contract<EvidenceSide>('evidence.json');

const call = (change: Partial<BoundaryCall>): BoundaryCall => ({
  uuid: change.path ?? '',
  direction: 'IN',
  protocol: 'http',
  operation: 'GET /api/quote?sku=A',
  status: '200',
  durationMs: 45,
  at: '2026-08-13T14:58:30.1Z',
  body: '{\n  "sku": "<string>"\n}',
  path: 'recording/a.md',
  ...change,
});

const boundary: BoundaryResponse = {
  apiVersion: '1',
  runId: 'lab/proxymock/recording',
  masked: true,
  inbound: [call({ path: 'a' }), call({ path: 'b', durationMs: 50 })],
  outbound: [
    call({
      path: 'c',
      direction: 'OUT',
      operation: 'GET /v1/price/A',
      durationMs: null,
      reasons: { durationMs: 'unknown' },
    }),
  ],
  total: 3,
  problems: [],
};

mockLayout();
// Looking up whether each element can be seen takes jsdom most of the time of these tests.
configure({ defaultHidden: true });

const fetch = jest.fn();
const asked = () => fetch.mock.calls.map(([request]: [BackendSrvRequest]) => request.url);

function open(
  evidence: EvidenceSide | 'missing',
  query = '?side=lab/proxymock/results/baseline',
  role = 'Editor',
  listing = sides
) {
  config.bootData = { user: { orgRole: role } } as unknown as typeof config.bootData;
  fetch.mockReset();
  fetch.mockImplementation(({ url }: BackendSrvRequest) => {
    if (url.includes('/v1/evidence')) {
      return evidence === 'missing'
        ? throwError(() => ({ status: 404, data: contract('problem.json') }))
        : of({ data: evidence });
    }
    if (url.includes('/v1/boundary')) {
      const masked = !url.includes('show=values');
      return of({ data: { ...boundary, masked } });
    }
    return of({ data: url.includes('/v1/settings') ? settings : listing });
  });
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  render(
    <MemoryRouter initialEntries={[`/side${query}`]} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <SidePage />
    </MemoryRouter>
  );
}

/** The line of a table that a text stands in. */
function lineOf(element: HTMLElement): HTMLElement {
  const line = element.closest('tr');
  if (!line) {
    throw new Error('not in a table');
  }
  return line;
}

const part = async (name: string) => within(await screen.findByRole('region', { name }));

test('without a side the page asks for one', async () => {
  open(measured, '');
  expect(await screen.findByText('No side is chosen')).toBeInTheDocument();
  expect(asked().some((url) => url.includes('/v1/evidence'))).toBe(false);
});

test('a side that is gone says so, with the next step', async () => {
  open('missing');
  expect(await screen.findByRole('alert', { name: 'Side not found' })).toHaveTextContent('refresh the list of runs');
});

test('says what the side is and how its window is known', async () => {
  open(measured);
  const what = await part('What this is');
  expect(what.getByText('29 s from window.json')).toBeInTheDocument();
  expect(what.getByText('start and end exact')).toBeInTheDocument();
  expect(what.getByText('8 users × 150 passes, mode load')).toBeInTheDocument();
  expect(what.getByText('pricing: 2')).toBeInTheDocument();
});

test('shows the replay’s figures in whole milliseconds', async () => {
  open(measured);
  const replay = await part('The replay’s own figures');
  for (const text of ['1,200', '173 ms', '90 ms', 'was not the limit', '100 %']) {
    expect(replay.getByText(text)).toBeInTheDocument();
  }
});

test('a measured figure has its bounds, and its proof is one click away', async () => {
  const user = userEvent.setup();
  open(measured);
  const table = await part('What Prometheus saw');
  const row = lineOf(table.getByText('p95 request duration'));
  expect(row).toHaveTextContent('150–200 ms');
  expect(row).toHaveTextContent('PromQL 193 ms (interpolated)');
  await user.click(within(row).getByLabelText('Queries behind p95 request duration'));
  const proof = await screen.findByRole('region', { name: /p95 request duration$/ });
  expect(proof).toHaveTextContent('histogram_quantile(0.95');
  expect(proof).toHaveTextContent('2026-08-13 15:00:24 UTC');
});

test('gates, reconciliation and the limit are in words', async () => {
  open(measured);
  const gates = await part('May the figures be used?');
  expect(gates.getAllByText(/^Prometheus saw 1,200 of 1,200 requests/)).toHaveLength(2);
  expect(gates.getAllByRole('listitem')).toHaveLength(9);
  const limit = await part('What limits it');
  expect(limit.getByText(/^The pool pricing: 1.86 of 2 in use/)).toBeInTheDocument();
});

test('without metrics the replay’s figures stay, and nothing reads 0', async () => {
  open(plain);
  expect(await screen.findByText(/Metrics: no Prometheus is configured/)).toBeInTheDocument();
  const table = await part('What Prometheus saw');
  const errors = lineOf(table.getByText('Errors'));
  expect(errors).toHaveTextContent('the profile does not ask for it');
  expect(errors).not.toHaveTextContent('0');
  expect((await part('The replay’s own figures')).getByText('173 ms')).toBeInTheDocument();
  expect((await part('Mocked dependency')).getByText(/are not known/)).toBeInTheDocument();
});

describe('the boundary of the recording', () => {
  test('reads inbound and outbound calls; a duration that was not measured is unknown', async () => {
    open(measured);
    const part1 = await part('Boundary of the recording');
    expect(await part1.findByText('GET /api/quote?sku=A')).toBeInTheDocument();
    expect(part1.getByText('45 ms to 50 ms')).toBeInTheDocument();
    expect(part1.getByText('×2')).toBeInTheDocument();
    expect(part1.getByText('GET /v1/price/A')).toBeInTheDocument();
    expect(part1.getAllByText('duration unknown').length).toBeGreaterThan(0);
    expect(part1.queryByText('1 ms')).not.toBeInTheDocument();
    expect(part1.getByText(/Values are masked/)).toBeInTheDocument();
    expect(asked()).toContain(
      '/api/plugins/replaylab-evidence-app/resources/v1/boundary?run=lab%2Fproxymock%2Frecording'
    );
  });

  test('an editor can ask for recorded values', async () => {
    const user = userEvent.setup();
    open(measured);
    await user.click(await screen.findByRole('switch', { name: 'Show recorded values' }));
    expect(asked().some((url) => url.includes('v1/boundary') && url.includes('show=values'))).toBe(true);
    expect(screen.queryByText(/Values are masked/)).not.toBeInTheDocument();
  });

  test('a viewer is told why not', async () => {
    open(measured, undefined, 'Viewer');
    expect(await screen.findByRole('switch', { name: 'Show recorded values' })).toBeDisabled();
  });

  test('a side without recording says how to have one', async () => {
    open({ ...measured, id: 'lab/nowhere', recording: { ...measured.recording, path: undefined } });
    expect(await screen.findByText(/No recording of this side was found/)).toBeInTheDocument();
  });
});

describe('the profile', () => {
  const two = { ...sides, profiles: [...sides.profiles, { ...sides.profiles[0], name: 'orders' }] } as SidesResponse;

  test('is the one that the address names, as the comparison wrote it', async () => {
    open(measured, '?side=lab/proxymock/results/baseline&profile=orders', 'Editor', two);
    expect(await screen.findByRole('combobox', { name: 'Profile' })).toHaveValue('orders');
    expect(asked().find((url) => url.includes('/v1/evidence'))).toContain('profile=orders');
    expect(screen.queryByText(/None was chosen/)).not.toBeInTheDocument();
  });

  test('is said to be the first one when nobody has chosen', async () => {
    open(measured, '?side=lab/proxymock/results/baseline', 'Editor', two);
    expect(await screen.findByText('None was chosen: the first of 2 asks the questions')).toBeInTheDocument();
    expect(screen.getByLabelText(/^Profile/)).toHaveValue(sides.profiles[0]?.name);
  });
});

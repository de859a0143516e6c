import { readFileSync } from 'node:fs';
import path from 'node:path';
import React from 'react';
import { Link, MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { of, throwError } from 'rxjs';

import { setBackendSrv } from '@grafana/runtime';
import { act, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { SideRow, SidesResponse } from '../../types/generated';
import { mockLayout } from '../layoutMock';
import RunsPage from './RunsPage';

const contract = JSON.parse(
  readFileSync(path.join(__dirname, '../../../pkg/plugin/testdata/contract/sides.json'), 'utf8')
) as SidesResponse;

// Outside Grafana a PluginPage is its children alone; here its actions are wanted too.
jest.mock('@grafana/runtime', () => ({
  ...jest.requireActual('@grafana/runtime'),
  PluginPage: ({ actions, children }: { actions?: React.ReactNode; children: React.ReactNode }) => (
    <>
      {actions}
      {children}
    </>
  ),
}));

mockLayout();
// Looking up whether each element can be seen takes jsdom most of the time of these tests.
configure({ defaultHidden: true });

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{decodeURIComponent(pathname + search.replaceAll('+', ' '))}</output>;
}

const fetch = jest.fn();

function open(answer: SidesResponse | 'broken', address = '/runs', beside?: React.ReactNode) {
  fetch.mockReset();
  fetch.mockImplementation(() =>
    answer === 'broken'
      ? throwError(() => ({
          status: 500,
          data: {
            code: 'x',
            title: 'The roots could not be listed',
            status: 500,
            detail: 'disk gone',
            next: 'Mount it.',
          },
        }))
      : of({ data: answer })
  );
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  render(
    <MemoryRouter initialEntries={[address]} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <Routes>
        <Route path="/runs" element={<RunsPage />} />
        <Route path="*" element={null} />
      </Routes>
      <Address />
      {beside}
    </MemoryRouter>
  );
}

const address = () => screen.getByRole('status', { name: 'address' }).textContent;
const grid = () => screen.findByRole('grid', { name: 'Sides' });
const names = () =>
  screen.getAllByRole('row').flatMap((row) =>
    within(row)
      .queryAllByRole('link')
      .map((link) => link.textContent)
  );
const rowOf = (label: string) => {
  const row = screen.getByRole('link', { name: label }).closest('[role="row"]');
  if (!(row instanceof HTMLElement)) {
    throw new Error(`no row for ${label}`);
  }
  return within(row);
};

test('shows what the backend found, newest first', async () => {
  open(contract);
  await grid();
  expect(names()).toEqual(['candidate (budget 16)', 'baseline (budget 2)', 'recording']);
  const row = rowOf('baseline (budget 2)');
  for (const text of ['1,200', '100 %', '173 ms', '46.4 /s', 'not the limit', 'exact']) {
    expect(row.getByText(text)).toBeInTheDocument();
  }
  expect(row.getByText('2026-08-13 14:59:55').closest('[title]')).toHaveAttribute(
    'title',
    '2026-08-13 14:59:55.412345 UTC to 2026-08-13 15:00:22.301 UTC'
  );
  expect(rowOf('candidate (budget 16)').getByText(/connection budget .* raised from 2 to 16/)).toBeInTheDocument();
});

test('a figure that is not known is a dash with its reason, never 0', async () => {
  open(contract);
  await grid();
  const row = rowOf('recording');
  // Requests, failures, match, p95 and throughput of a side that was only recorded.
  expect(row.getAllByText('there is no such run in this side')).toHaveLength(5);
  expect(row.getByText('the replay did not report it')).toBeInTheDocument();
  expect(row.queryByText('0')).not.toBeInTheDocument();
  (await grid()).focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByText('the replay did not score it')).toBeInTheDocument();
});

test('the keyboard chooses both sides and opens the comparison', async () => {
  const user = userEvent.setup();
  open(contract);
  (await grid()).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('status', { name: 'Choice' })).toHaveTextContent(
    'Choose a baseline (b) and a candidate (c) first.'
  );
  await user.keyboard('c{ArrowDown}b');
  expect(rowOf('baseline (budget 2)').getByRole('button', { name: /^baseline:/ })).toHaveAttribute(
    'aria-pressed',
    'true'
  );
  expect(address()).toContain('baseline=lab/proxymock/results/baseline');
  await user.keyboard('{Enter}');
  expect(address()).toBe(
    '/a/replaylab-evidence-app/compare?baseline=lab/proxymock/results/baseline&candidate=lab/proxymock/results/candidate'
  );
});

test('keys that follow each other faster than the address changes are all counted', async () => {
  const user = userEvent.setup({ delay: null });
  open(contract);
  (await grid()).focus();
  await user.keyboard('b{ArrowDown}c{ArrowUp}b{ArrowDown}{ArrowDown}b');
  await waitFor(() => expect(address()).toContain('baseline=lab/proxymock/recording'));
  expect(address()).toContain('candidate=lab/proxymock/results/baseline');
});

test('a step back brings the choice of that address', async () => {
  const user = userEvent.setup();
  open(contract, '/runs?baseline=lab/proxymock/recording', <Link to="/runs?q=candidate">elsewhere</Link>);
  await grid();
  await user.click(screen.getByText('elsewhere'));
  await waitFor(() => expect(names()).toEqual(['candidate (budget 16)']));
  expect(rowOf('candidate (budget 16)').getByLabelText(/^baseline:/)).toHaveAttribute('aria-pressed', 'false');
  expect(screen.getAllByText('not chosen')).toHaveLength(2);
});

test('shift adds a directory, and says why when it cannot', async () => {
  const user = userEvent.setup();
  open(contract);
  (await grid()).focus();
  await user.keyboard('{Shift>}B{/Shift}');
  expect(screen.getByRole('status', { name: 'Choice' })).toHaveTextContent('Choose a baseline first');
  await user.keyboard('b{ArrowDown}{Shift>}B{/Shift}');
  expect(address()).toContain('baseline=lab/proxymock/results/candidate+proxymock/results/baseline');
});

test('a directory is added to a choice by a button that can be seen', async () => {
  const user = userEvent.setup();
  open(contract);
  await grid();
  expect(screen.queryByRole('button', { name: /^Add a directory/ })).not.toBeInTheDocument();
  await user.click(rowOf('candidate (budget 16)').getByRole('button', { name: /^candidate:/ }));
  const add = screen.getByRole('button', { name: 'Add a directory to the candidate' });
  act(() => add.focus());
  await user.keyboard('{Enter}');
  const offer = await screen.findByRole('combobox', { name: 'Add a directory to the candidate' });
  expect(offer).toHaveFocus();
  await user.type(offer, 'recording');
  await user.click(await screen.findByRole('option', { name: /recording/ }));
  expect(address()).toContain('candidate=lab/proxymock/results/candidate+proxymock/recording');
  expect(screen.getByText('candidate (budget 16) + recording')).toBeInTheDocument();
  expect(screen.getByRole('status', { name: 'Choice' })).toHaveTextContent('recording is added to the candidate.');
});

test('directories with one label are told apart by their own names', async () => {
  const [, template] = contract.sides;
  const part = (name: string): SideRow => ({
    ...(template as SideRow),
    id: `lab/${name}`,
    path: name,
    label: 'slow=0',
  });
  open({ ...contract, sides: [part('load'), part('statements')] }, '/runs?baseline=lab/load%2Bstatements');
  await grid();
  expect(screen.getByText('load + statements')).toBeInTheDocument();
});

test('a side with signs of addresses in its name is chosen and linked as it is', async () => {
  const user = userEvent.setup();
  const [, template] = contract.sides;
  const odd = { ...(template as SideRow), id: 'lab/a+b&c', path: 'a+b&c', label: 'a+b&c' };
  open({ ...contract, sides: [odd, ...contract.sides] });
  await grid();
  const href = screen.getByRole('link', { name: 'a+b&c' }).getAttribute('href') ?? '';
  expect(new URL(href, 'http://grafana').searchParams.get('side')).toBe('lab/a+b&c');
  await user.click(rowOf('a+b&c').getByRole('button', { name: /^baseline:/ }));
  const chosen = within(screen.getByRole('region', { name: 'Chosen sides' }));
  expect(chosen.getByText('a+b&c')).toBeInTheDocument();
  expect(chosen.queryByText(/not found any more/)).not.toBeInTheDocument();
});

test('arrows open the runs of a side, each with its own figures', async () => {
  const user = userEvent.setup();
  open(contract);
  (await grid()).focus();
  await user.keyboard('{ArrowRight}');
  expect(await screen.findByText('proxymock/results/candidate/functional')).toBeInTheDocument();
  await user.keyboard('{ArrowLeft}');
  expect(screen.queryByText('proxymock/results/candidate/functional')).not.toBeInTheDocument();
});

test('o opens the side', async () => {
  const user = userEvent.setup();
  open(contract);
  (await grid()).focus();
  await user.keyboard('{End}o');
  expect(address()).toBe('/a/replaylab-evidence-app/side?side=lab/proxymock/recording');
});

test('heads sort, and the address keeps it', async () => {
  const user = userEvent.setup();
  open(contract);
  await grid();
  await user.click(screen.getByRole('button', { name: 'p95' }));
  expect(screen.getByRole('columnheader', { name: 'p95' })).toHaveAttribute('aria-sort', 'ascending');
  expect(names()).toEqual(['candidate (budget 16)', 'baseline (budget 2)', 'recording']);
  await user.click(screen.getByRole('button', { name: 'p95' }));
  expect(names()).toEqual(['baseline (budget 2)', 'candidate (budget 16)', 'recording']);
  expect(address()).toContain('sort=-p95');
});

test('the text filter narrows the list, and a filter without result can be cleared', async () => {
  const user = userEvent.setup();
  open(contract);
  await grid();
  await user.type(screen.getByRole('textbox', { name: 'Filter by text' }), 'nowhere');
  expect(await screen.findByText('No side fits the filter')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
  expect(await grid()).toBeInTheDocument();
  expect(address()).toBe('/runs');
});

test('an address brings filter and choice along', async () => {
  open(contract, '/runs?kind=recording&baseline=lab/proxymock/results/baseline&candidate=lab/gone');
  await grid();
  expect(names()).toEqual(['recording']);
  const chosen = within(screen.getByRole('region', { name: 'Chosen sides' }));
  expect(chosen.getByText('baseline (budget 2)')).toBeInTheDocument();
  expect(chosen.getByText('lab/gone (not found any more)')).toBeInTheDocument();
});

test('an unreadable root says so with its own words, and the rest works', async () => {
  const roots = [
    ...contract.roots,
    { name: 'nfs', readable: false, message: 'no such directory: mount it', sides: 0, runs: 0 },
  ];
  open({ ...contract, roots });
  await grid();
  expect(screen.getByText('Root nfs cannot be read')).toBeInTheDocument();
  expect(screen.getByText(/no such directory: mount it/)).toBeInTheDocument();
  expect(names()).toHaveLength(3);
});

test('without sides the page says how to get runs', async () => {
  open({ ...contract, sides: [] });
  expect(await screen.findByText('No runs yet')).toBeInTheDocument();
  expect(screen.getByText(/proxymock replay --in recording/)).toBeInTheDocument();
});

test('a failed listing shows cause and next step, and can be tried again', async () => {
  const user = userEvent.setup();
  open('broken');
  expect(await screen.findByRole('alert')).toHaveTextContent('disk gone');
  fetch.mockImplementation(() => of({ data: contract }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await grid()).toBeInTheDocument();
});

test('refresh asks again and keeps what is shown meanwhile', async () => {
  const user = userEvent.setup();
  open(contract);
  await grid();
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
  expect(screen.getByRole('grid', { name: 'Sides' })).toBeInTheDocument();
});

test('of 3,000 sides only the visible ones are drawn, and the last can be reached', async () => {
  const user = userEvent.setup();
  const [, template] = contract.sides;
  const many = Array.from({ length: 3000 }, (_, at): SideRow => ({
    ...(template as SideRow),
    id: `lab/run ${at}`,
    label: `run ${at}`,
  }));
  open({ ...contract, sides: many }, '/runs?sort=side');
  const table = await grid();
  expect(table).toHaveAttribute('aria-rowcount', '3001');
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  table.focus();
  await user.keyboard('{End}b');
  expect(address()).toContain('baseline=lab/run 2999');
});

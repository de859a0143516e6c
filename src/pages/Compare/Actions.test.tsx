import React from 'react';
import { NEVER, Observable, of, throwError } from 'rxjs';

import { BackendSrvRequest, setBackendSrv } from '@grafana/runtime';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { Actions } from './Actions';

const sides = { baseline: 'lab/a', candidate: 'lab/b', profile: '' };
const markdown = '# Behaviour: unchanged';

/** What Grafana answers to the search for the dashboard. */
let dashboards: Observable<unknown>;

function backend(answer: (url: string) => Observable<unknown>): string[] {
  const asked: string[] = [];
  const fetch = ({ url }: BackendSrvRequest) => {
    if (url === '/api/search') {
      return dashboards;
    }
    asked.push(url);
    return answer(url);
  };
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  return asked;
}

const show = (exploreUrl?: string) =>
  render(
    <Actions
      of={sides}
      range={{ from: 1000, to: 2000 }}
      onRefresh={jest.fn()}
      refreshing={false}
      exploreUrl={exploreUrl}
    />
  );

beforeEach(() => {
  dashboards = NEVER;
  backend(() => of({ data: markdown }));
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
});

test('copies the Markdown that the backend writes', async () => {
  const user = userEvent.setup();
  const asked = backend(() => of({ data: markdown }));
  show();
  await user.click(screen.getByRole('button', { name: 'Copy as Markdown' }));
  expect(await screen.findByRole('button', { name: 'Markdown copied' })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(markdown);
  expect(asked).toEqual([expect.stringContaining('v1/export?baseline=lab%2Fa&candidate=lab%2Fb&format=markdown')]);
});

test('copies the address of what is shown', async () => {
  const user = userEvent.setup();
  show();
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(document.URL);
});

test('hands the exported evidence to the browser as a file, as it came', async () => {
  const user = userEvent.setup();
  const saved: Array<{ name: string; blob: Blob | undefined }> = [];
  let blob: Blob | undefined;
  URL.createObjectURL = (value: Blob) => {
    blob = value;
    return 'blob:x';
  };
  URL.revokeObjectURL = jest.fn();
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob });
  });
  backend(() => of({ data: '{"schemaVersion":"1.0"}' }));
  show();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: /^JSON/ }));
  expect(saved).toEqual([{ name: 'evidence.json', blob: expect.any(Blob) }]);
  expect(saved[0]?.blob?.size).toBe('{"schemaVersion":"1.0"}'.length);
  click.mockRestore();
});

test('an export that fails says why and what to do', async () => {
  const user = userEvent.setup();
  const data = { title: 'Side not found', status: 404, detail: 'It was renamed.', next: 'Choose again.', code: 'x' };
  backend(() => throwError(() => ({ status: 404, data, config: {} })));
  show();
  await user.click(screen.getByRole('button', { name: 'Copy as Markdown' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Choose again.');
  expect(screen.queryByRole('button', { name: 'Markdown copied' })).not.toBeInTheDocument();
});

test('offers Explore only when there is a data source to open, with the address as it was written', () => {
  const { unmount } = show();
  expect(screen.queryByRole('link', { name: 'Open in Explore' })).not.toBeInTheDocument();
  unmount();
  show('/explore?panes=%22a%20%2B%20b%20%26%20c%22');
  expect(screen.getByRole('link', { name: 'Open in Explore' })).toHaveAttribute(
    'href',
    '/explore?panes=%22a%20%2B%20b%20%26%20c%22'
  );
});

test('opens the dashboard with both sides', async () => {
  dashboards = of({ data: [{ uid: 'replay-evidence' }] });
  show();
  expect(await screen.findByRole('link', { name: 'Open the dashboard' })).toHaveAttribute(
    'href',
    '/d/replay-evidence?from=1000&to=2000&var-baseline=lab%2Fa&var-candidate=lab%2Fb'
  );
});

test.each([
  ['is not there', () => of({ data: [] })],
  ['cannot be asked for', () => throwError(() => ({ status: 403, data: {}, config: {} }))],
])('a dashboard that %s is not offered', async (_, answer) => {
  const search = jest.fn();
  dashboards = new Observable((subscriber) => {
    search();
    return answer().subscribe(subscriber);
  });
  show();
  await waitFor(() => expect(search).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole('link', { name: 'Open the dashboard' })).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

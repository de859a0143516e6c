import React from 'react';
import { MemoryRouter } from 'react-router-dom';
import { of } from 'rxjs';

import { AppRootProps } from '@grafana/data';
import { setBackendSrv } from '@grafana/runtime';
import { render, screen } from '@testing-library/react';

import { mockLayout } from '../../pages/layoutMock';
import App from './App';

mockLayout();

const NOTHING = { apiVersion: '1', roots: [], sides: [], profiles: [], problems: [] };

function open(path: string) {
  const fetch = jest.fn().mockReturnValue(of({ data: NOTHING }));
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  render(
    <MemoryRouter initialEntries={[path]} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <App {...({} as AppRootProps)} />
    </MemoryRouter>
  );
}

test('an address without a page leads to the runs', async () => {
  open('/');
  expect(await screen.findByText('No root is configured')).toBeInTheDocument();
});

test('the address of a side that is not named asks for one', async () => {
  open('/side');
  expect(await screen.findByText('No side is chosen')).toBeInTheDocument();
});

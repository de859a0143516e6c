import React from 'react';
import { MemoryRouter } from 'react-router-dom';
import { of } from 'rxjs';

import { AppRootProps } from '@grafana/data';
import { setBackendSrv } from '@grafana/runtime';
import { render, screen } from '@testing-library/react';

import App from './App';

test('asks the backend how it is', async () => {
  const fetch = jest.fn().mockReturnValue(of({ data: { status: 'OK', message: '1 root, 4 runs' } }));
  setBackendSrv({ fetch } as unknown as Parameters<typeof setBackendSrv>[0]);
  render(
    <MemoryRouter future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
      <App {...({} as AppRootProps)} />
    </MemoryRouter>
  );
  expect(await screen.findByText('1 root, 4 runs')).toBeInTheDocument();
});

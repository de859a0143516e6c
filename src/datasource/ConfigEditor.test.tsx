import React from 'react';
import { NEVER } from 'rxjs';

import { setBackendSrv } from '@grafana/runtime';
import { configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { mockLayout } from '../pages/layoutMock';
import { ConfigEditor, ConfigProps } from './ConfigEditor';

mockLayout();
configure({ defaultHidden: true });

const onOptionsChange = jest.fn();

function show(readOnly: boolean) {
  onOptionsChange.mockReset();
  setBackendSrv({ fetch: () => NEVER } as unknown as Parameters<typeof setBackendSrv>[0]);
  const options = {
    uid: 'replay-evidence',
    version: 1,
    readOnly,
    basicAuth: false,
    basicAuthUser: '',
    jsonData: { prometheus: { url: 'http://prometheus:9090' } },
    secureJsonFields: {},
  } as unknown as ConfigProps['options'];
  render(<ConfigEditor options={options} onOptionsChange={onOptionsChange} />);
}

test('what is changed is handed to Grafana', async () => {
  show(false);
  await userEvent.type(screen.getByPlaceholderText('http://prometheus:9090'), '0');
  expect(onOptionsChange).toHaveBeenLastCalledWith(
    expect.objectContaining({ jsonData: { prometheus: { url: 'http://prometheus:90900' } } })
  );
  expect(screen.queryByText(/is provisioned/)).not.toBeInTheDocument();
});

test('a provisioned data source says why nothing can be changed', () => {
  show(true);
  expect(screen.getByText('This data source is provisioned, so it cannot be changed here')).toBeInTheDocument();
  for (const name of ['Quantile', 'Every root of the operator']) {
    expect(screen.getByLabelText(name)).toBeDisabled();
  }
  expect(screen.getByPlaceholderText('http://prometheus:9090')).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Add a profile' })).toBeDisabled();
  expect(onOptionsChange).not.toHaveBeenCalled();
});

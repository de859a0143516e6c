import React from 'react';

import { Alert, Button, Stack } from '@grafana/ui';

import { checkHealth, Health } from '../../api/client';
import { useLoad } from '../../api/useLoad';
import { LoadView } from '../StateViews/StateViews';
import { testIds } from '../testIds';

const TITLES: Record<Health['status'], string> = {
  OK: 'The backend is ready',
  ERROR: 'The backend reports a problem',
  UNKNOWN: 'The backend does not say how it is',
};

/** The health of the app's backend, asked for now. */
export function AppStatus() {
  const health = useLoad('health', checkHealth);
  return (
    <LoadView loaded={health} label="Checking the backend" lines={2}>
      {({ status, message }) => (
        <Alert
          title={TITLES[status] ?? TITLES.UNKNOWN}
          severity={status === 'OK' ? 'success' : 'error'}
          data-testid={testIds.appStatus}
        >
          <Stack direction="column" gap={1} alignItems="flex-start">
            <span>{message}</span>
            <Button size="sm" variant="secondary" icon="sync" onClick={health.reload} disabled={health.loading}>
              Check again
            </Button>
          </Stack>
        </Alert>
      )}
    </LoadView>
  );
}

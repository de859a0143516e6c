import React from 'react';

import { DataSourcePicker, getDataSourceSrv } from '@grafana/runtime';
import { ErrorBoundary, Field, Input } from '@grafana/ui';

import { FieldsProps } from './fields';

// Prometheus itself and the data sources that speak its API under a name of their own.
const TYPES = ['prometheus', 'grafana-amazonprometheus-datasource', 'grafana-azureprometheus-datasource'];

const ID = 'prometheus-datasource';

/** True when this Grafana can list its data sources to a plugin. */
function canPick(): boolean {
  try {
    return typeof DataSourcePicker === 'function' && Array.isArray(getDataSourceSrv().getList({ type: TYPES }));
  } catch {
    return false;
  }
}

/** Chooses a Prometheus data source; where Grafana offers no picker, its UID is typed. */
export function DataSourceField({ draft, faults, change, locked }: FieldsProps) {
  const byHand = (
    <Input
      id={ID}
      width={40}
      placeholder="UID, from the address of the data source’s page"
      value={draft.datasourceUid}
      onChange={(event) => change({ datasourceUid: event.currentTarget.value })}
    />
  );
  return (
    <Field
      label="Data source"
      description="It is asked through Grafana’s data source proxy, so that its own credentials are used."
      htmlFor={ID}
      invalid={Boolean(faults.datasourceUid)}
      error={faults.datasourceUid}
    >
      {canPick() ? (
        <ErrorBoundary boundaryName="replay-evidence-data-source-picker">
          {({ error }) =>
            error ? (
              byHand
            ) : (
              <DataSourcePicker
                inputId={ID}
                type={TYPES}
                noDefault
                disabled={locked}
                width={40}
                current={draft.datasourceUid || null}
                placeholder="Choose a Prometheus data source"
                onChange={(source) => change({ datasourceUid: source.uid })}
                onClear={() => change({ datasourceUid: '' })}
              />
            )
          }
        </ErrorBoundary>
      ) : (
        byHand
      )}
    </Field>
  );
}

import React from 'react';

import { Field, RadioButtonGroup } from '@grafana/ui';

import { DataSourceField } from './DataSourceField';
import { FieldsProps } from './fields';
import { BasicAuthFields, HeaderFields, TlsFields } from './HttpFields';
import { SecretField } from './SecretField';
import { Way } from './settings';
import { TextField } from './TextField';

const WAYS: Array<{ label: string; value: Way; description: string }> = [
  { label: 'Data source', value: 'datasource', description: 'A Prometheus data source of this Grafana' },
  { label: 'URL', value: 'url', description: 'A Prometheus-compatible server that the Grafana server reaches itself' },
  { label: 'None', value: 'none', description: 'The replay’s own figures and behaviour only' },
];

/** How Prometheus is reached. */
export function PrometheusFields(props: FieldsProps) {
  const { draft, faults, change } = props;
  const token = (
    <SecretField
      id="grafana-token"
      label="Service account token"
      description="Only needed where managed service accounts are off. It needs datasources:query on this data source."
      placeholder="glsa_…"
      secret={draft.secrets.grafanaToken}
      onChange={(grafanaToken) => change({ secrets: { ...draft.secrets, grafanaToken } })}
    />
  );
  return (
    <div>
      <Field
        label="Prometheus is reached through"
        description={WAYS.find(({ value }) => value === draft.way)?.description}
      >
        <RadioButtonGroup
          aria-label="Prometheus is reached through"
          options={WAYS.map(({ label, value }) => ({ label, value }))}
          value={draft.way}
          onChange={(way) => change({ way })}
        />
      </Field>
      {draft.way === 'datasource' && (
        <>
          <DataSourceField {...props} />
          {token}
          <TextField
            id="grafana-url"
            label="Address of Grafana"
            description="Only needed where the Grafana server cannot reach itself by its root_url."
            placeholder="http://localhost:3000"
            value={draft.grafanaUrl}
            fault={faults.grafanaUrl}
            onChange={(grafanaUrl) => change({ grafanaUrl })}
          />
          <TlsFields {...props} to="Grafana" />
        </>
      )}
      {draft.way === 'url' && (
        <>
          <TextField
            id="prometheus-url"
            label="URL"
            description="Of a server with Prometheus’ HTTP API, without /api/v1."
            placeholder="http://prometheus:9090"
            value={draft.url}
            fault={faults.url}
            onChange={(url) => change({ url })}
          />
          <BasicAuthFields {...props} />
          <TlsFields {...props} to="Prometheus" />
          <HeaderFields {...props} />
        </>
      )}
    </div>
  );
}

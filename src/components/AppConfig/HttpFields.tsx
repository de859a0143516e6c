import React from 'react';

import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Button, Field, IconButton, InlineSwitch, Input, SecretInput, useStyles2 } from '@grafana/ui';

import { FieldsProps } from './fields';
import { SecretField } from './SecretField';
import { Draft, HeaderDraft, SecretDraft, SecretName } from './settings';
import { TextField } from './TextField';

function Switch({
  id,
  label,
  value,
  onChange,
}: {
  id: string;
  label: string;
  value: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <InlineSwitch
      id={id}
      label={label}
      showLabel
      value={value}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

const secretOf =
  ({ draft, change }: FieldsProps, name: SecretName) =>
  (secret: SecretDraft) =>
    change({ secrets: { ...draft.secrets, [name]: secret } });

/** User and password for a URL of one's own. */
export function BasicAuthFields(props: FieldsProps) {
  const { draft, faults, change } = props;
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.group}>
      <Switch
        id="basic-auth"
        label="Basic authentication"
        value={draft.basicAuth}
        onChange={(basicAuth) => change({ basicAuth })}
      />
      {draft.basicAuth && (
        <div className={styles.below}>
          <TextField
            id="basic-auth-user"
            label="User"
            value={draft.basicAuthUser}
            fault={faults.basicAuthUser}
            onChange={(basicAuthUser) => change({ basicAuthUser })}
          />
          <SecretField
            id="basic-auth-password"
            label="Password"
            secret={draft.secrets.basicAuthPassword}
            onChange={secretOf(props, 'basicAuthPassword')}
          />
        </div>
      )}
    </div>
  );
}

/** Certificates, as Grafana's SDK reads them. */
export function TlsFields({ to, ...props }: FieldsProps & { to: string }) {
  const { draft, change } = props;
  const styles = useStyles2(getStyles);
  const flag = (name: keyof Draft & ('tlsAuth' | 'tlsAuthWithCACert' | 'tlsSkipVerify'), label: string) => (
    <Switch id={name} label={label} value={draft[name]} onChange={(on) => change({ [name]: on })} />
  );
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>TLS towards {to}</legend>
      <div className={styles.switches}>
        {flag('tlsAuthWithCACert', 'Own certificate authority')}
        {flag('tlsAuth', 'Client certificate')}
        {flag('tlsSkipVerify', 'Do not verify the server')}
      </div>
      <div className={styles.below} hidden={!draft.tlsAuth && !draft.tlsAuthWithCACert}>
        {(draft.tlsAuth || draft.tlsAuthWithCACert) && (
          <TextField
            id="tls-server-name"
            label="Server name"
            description="Where the certificate names another host."
            value={draft.serverName}
            onChange={(serverName) => change({ serverName })}
          />
        )}
        {draft.tlsAuthWithCACert && (
          <SecretField
            id="tls-ca"
            label="Certificate of the authority"
            multiline
            placeholder="-----BEGIN CERTIFICATE-----"
            secret={draft.secrets.tlsCACert}
            onChange={secretOf(props, 'tlsCACert')}
          />
        )}
        {draft.tlsAuth && (
          <>
            <SecretField
              id="tls-cert"
              label="Client certificate"
              multiline
              placeholder="-----BEGIN CERTIFICATE-----"
              secret={draft.secrets.tlsClientCert}
              onChange={secretOf(props, 'tlsClientCert')}
            />
            <SecretField
              id="tls-key"
              label="Client key"
              multiline
              placeholder="-----BEGIN PRIVATE KEY-----"
              secret={draft.secrets.tlsClientKey}
              onChange={secretOf(props, 'tlsClientKey')}
            />
          </>
        )}
      </div>
    </fieldset>
  );
}

/** Headers that are sent with every question; their values are secrets. */
export function HeaderFields({ draft, faults, change }: FieldsProps) {
  const styles = useStyles2(getStyles);
  const set = (key: string, values: Partial<HeaderDraft>) =>
    change({ headers: draft.headers.map((header) => (header.key === key ? { ...header, ...values } : header)) });
  const add = () =>
    change({
      headers: [
        ...draft.headers,
        { key: `new ${Date.now()}`, name: '', slot: null, secret: { stored: false, value: '' } },
      ],
    });
  const remove = (at: number) =>
    change({
      headers: draft.headers
        .filter((_, index) => index !== at)
        // Those behind it move up by one, and a stored value cannot move along.
        .map((header, index) => (index >= at ? { ...header, secret: { ...header.secret, stored: false } } : header)),
    });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Headers</legend>
      {draft.headers.map((header, at) => {
        const fault = faults[`header ${header.key}`];
        return (
          <Field key={header.key} className={styles.header} noMargin invalid={Boolean(fault)} error={fault}>
            <div className={styles.headerLine}>
              <Input
                aria-label={`Name of header ${at + 1}`}
                placeholder="X-Scope-OrgID"
                width={24}
                value={header.name}
                onChange={(event) => set(header.key, { name: event.currentTarget.value })}
              />
              <SecretInput
                aria-label={`Value of header ${at + 1}`}
                width={32}
                autoComplete="off"
                isConfigured={header.secret.stored}
                value={header.secret.value}
                onReset={() => set(header.key, { secret: { stored: false, value: '' } })}
                onChange={(event) => set(header.key, { secret: { stored: false, value: event.currentTarget.value } })}
              />
              <IconButton
                name="trash-alt"
                tooltip={`Remove header ${header.name || at + 1}`}
                onClick={() => remove(at)}
              />
            </div>
          </Field>
        );
      })}
      <Button size="sm" variant="secondary" icon="plus" onClick={add}>
        Add a header
      </Button>
    </fieldset>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  group: css({ margin: theme.spacing(0, 0, 2), padding: 0, border: 'none', minWidth: 0 }),
  legend: css({
    margin: theme.spacing(0, 0, 0.5),
    ...theme.typography.bodySmall,
    fontWeight: theme.typography.fontWeightMedium,
  }),
  switches: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) }),
  below: css({ marginTop: theme.spacing(1) }),
  header: css({ marginBottom: theme.spacing(1) }),
  headerLine: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1) }),
});

// What the configuration page edits, and what it saves. The names are those of the backend's settings and of the HTTP
// settings that Grafana's SDK reads for a URL of one's own.

/** One picked root; path narrows it. */
export interface RootPick {
  name: string;
  path?: string;
}

/** jsonData of the app. Keys that this page does not know stay as they are. */
export interface AppSettings {
  roots?: RootPick[];
  prometheus?: { datasourceUid?: string; url?: string; grafanaUrl?: string };
  profiles?: Array<{ yaml: string }>;
  quantile?: number;
  tolerancePercent?: number;
  toleranceMs?: number;
  basicAuth?: boolean;
  basicAuthUser?: string;
  tlsAuth?: boolean;
  tlsAuthWithCACert?: boolean;
  tlsSkipVerify?: boolean;
  serverName?: string;
  [other: string]: unknown;
}

/** What Grafana keeps of the plugin in this organisation. */
export interface PluginSettings {
  enabled: boolean;
  pinned: boolean;
  jsonData: AppSettings;
  /** Which secrets are stored; Grafana never sends them back. */
  secureJsonFields: Record<string, boolean>;
}

export type Way = 'datasource' | 'url' | 'none';

export const SECRETS = ['grafanaToken', 'basicAuthPassword', 'tlsCACert', 'tlsClientCert', 'tlsClientKey'] as const;
export type SecretName = (typeof SECRETS)[number];

/** A secret while it is edited. */
export interface SecretDraft {
  /** A value is stored and stays. */
  stored: boolean;
  value: string;
}

export interface HeaderDraft {
  key: string;
  name: string;
  /** The number under which Grafana stores the value; null for a new header. */
  slot: number | null;
  secret: SecretDraft;
}

export interface Draft {
  everyRoot: boolean;
  roots: RootPick[];
  way: Way;
  datasourceUid: string;
  url: string;
  grafanaUrl: string;
  basicAuth: boolean;
  basicAuthUser: string;
  tlsAuth: boolean;
  tlsAuthWithCACert: boolean;
  tlsSkipVerify: boolean;
  serverName: string;
  headers: HeaderDraft[];
  secrets: Record<SecretName, SecretDraft>;
  profiles: Array<{ key: string; yaml: string }>;
  /** Numbers as they are typed; empty keeps the profile's own. */
  quantile: string;
  tolerancePercent: string;
  toleranceMs: string;
}

const HEADER_NAME = /^httpHeaderName(\d+)$/;
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const numberText = (value: unknown) => (typeof value === 'number' && value > 0 ? String(value) : '');

function wayOf({ datasourceUid, url }: NonNullable<AppSettings['prometheus']>): Way {
  return datasourceUid ? 'datasource' : url ? 'url' : 'none';
}

/** What is stored, ready to be edited. */
export function toDraft({ jsonData, secureJsonFields }: PluginSettings): Draft {
  const { roots = [], prometheus = {}, profiles = [] } = jsonData;
  const secret = (name: string): SecretDraft => ({ stored: secureJsonFields[name] === true, value: '' });
  const headers = Object.keys(jsonData)
    .map((key) => Number(HEADER_NAME.exec(key)?.[1]))
    .filter((slot) => slot > 0)
    .sort((a, b) => a - b)
    .map((slot) => ({
      key: `stored ${slot}`,
      name: text(jsonData[`httpHeaderName${slot}`]),
      slot,
      secret: secret(`httpHeaderValue${slot}`),
    }));
  return {
    everyRoot: roots.length === 0,
    roots: roots.map((root) => ({ ...root })),
    way: wayOf(prometheus),
    datasourceUid: text(prometheus.datasourceUid),
    url: text(prometheus.url),
    grafanaUrl: text(prometheus.grafanaUrl),
    basicAuth: jsonData.basicAuth === true,
    basicAuthUser: text(jsonData.basicAuthUser),
    tlsAuth: jsonData.tlsAuth === true,
    tlsAuthWithCACert: jsonData.tlsAuthWithCACert === true,
    tlsSkipVerify: jsonData.tlsSkipVerify === true,
    serverName: text(jsonData.serverName),
    headers,
    secrets: {
      grafanaToken: secret('grafanaToken'),
      basicAuthPassword: secret('basicAuthPassword'),
      tlsCACert: secret('tlsCACert'),
      tlsClientCert: secret('tlsClientCert'),
      tlsClientKey: secret('tlsClientKey'),
    },
    profiles: profiles.map(({ yaml }, at) => ({ key: `stored ${at}`, yaml })),
    quantile: numberText(jsonData.quantile),
    tolerancePercent: numberText(jsonData.tolerancePercent),
    toleranceMs: numberText(jsonData.toleranceMs),
  };
}

/** What is sent to Grafana. */
export interface Payload {
  enabled: boolean;
  pinned: boolean;
  jsonData: AppSettings;
  secureJsonData: Record<string, string>;
}

/** Empty values are left out, so that what is stored says only what somebody decided. */
function tidy(values: AppSettings): AppSettings {
  const kept = Object.entries(values).filter(
    ([, value]) =>
      value !== '' && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
  );
  return Object.fromEntries(kept);
}

function rootsOf({ everyRoot, roots }: Draft): RootPick[] {
  return everyRoot
    ? []
    : roots.map(({ name, path = '' }) => {
        const narrowed = path.trim().replace(/^\/+|\/+$/g, '');
        return narrowed ? { name, path: narrowed } : { name };
      });
}

function prometheusOf({ way, datasourceUid, url, grafanaUrl }: Draft): AppSettings['prometheus'] {
  return {
    ...(way === 'datasource' && { datasourceUid: datasourceUid.trim() }),
    ...(way === 'url' && { url: url.trim() }),
    ...(grafanaUrl.trim() !== '' && { grafanaUrl: grafanaUrl.trim() }),
  };
}

const typed = (value: string) => (value.trim() === '' ? undefined : Number(value));

/** Turns what was edited into what is saved. Secrets that stay are not sent; those taken away are sent empty. */
export function toPayload(draft: Draft, stored: PluginSettings): Payload {
  const others = Object.entries(stored.jsonData).filter(([key]) => !HEADER_NAME.test(key));
  const secureJsonData: Record<string, string> = {};
  const send = (name: string, { stored: stays, value }: SecretDraft) => {
    if (!stays && (value !== '' || stored.secureJsonFields[name])) {
      secureJsonData[name] = value;
    }
  };
  for (const name of SECRETS) {
    send(name, draft.secrets[name]);
  }

  // The SDK reads headers from 1 on and stops at the first number that is missing.
  const names: Record<string, string> = {};
  draft.headers.forEach((header, at) => {
    names[`httpHeaderName${at + 1}`] = header.name.trim();
    if (!keepsValue(header, at)) {
      secureJsonData[`httpHeaderValue${at + 1}`] = header.secret.value;
    }
  });
  for (const field of Object.keys(stored.secureJsonFields)) {
    const slot = Number(/^httpHeaderValue(\d+)$/.exec(field)?.[1]);
    if (slot > draft.headers.length && stored.secureJsonFields[field]) {
      secureJsonData[field] = '';
    }
  }

  return {
    // Saving a configuration is of no use to an app that is switched off.
    enabled: true,
    pinned: stored.enabled ? stored.pinned : true,
    jsonData: tidy({
      ...Object.fromEntries(others),
      roots: rootsOf(draft),
      prometheus: prometheusOf(draft),
      profiles: draft.profiles.map(({ yaml }) => ({ yaml })).filter(({ yaml }) => yaml.trim() !== ''),
      quantile: typed(draft.quantile),
      tolerancePercent: typed(draft.tolerancePercent),
      toleranceMs: typed(draft.toleranceMs),
      basicAuth: draft.basicAuth,
      basicAuthUser: draft.basicAuth ? draft.basicAuthUser : '',
      tlsAuth: draft.tlsAuth,
      tlsAuthWithCACert: draft.tlsAuthWithCACert,
      tlsSkipVerify: draft.tlsSkipVerify,
      serverName: draft.serverName.trim(),
      ...names,
    }),
    secureJsonData,
  };
}

/** True when the stored value of a header stays where it is; its number must not change, for nobody can read it. */
export function keepsValue({ slot, secret }: HeaderDraft, at: number): boolean {
  return secret.stored && slot === at + 1;
}

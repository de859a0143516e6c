import { DataSourceSettings } from '@grafana/data';

import { Draft, PluginSettings, toPayload } from '../components/AppConfig/settings';
import type { EvidenceSettings } from './types';

export type Secrets = Record<string, string>;
export type Options = DataSourceSettings<EvidenceSettings, Secrets>;

/** The data source's settings in the shape of the app's, so that the same fields edit both. */
export function storedOf({ jsonData, secureJsonFields, basicAuth, basicAuthUser }: Options): PluginSettings {
  // Grafana keeps basic authentication of a data source beside jsonData; the app has it inside.
  return { enabled: true, pinned: true, jsonData: { ...jsonData, basicAuth, basicAuthUser }, secureJsonFields };
}

/** What was edited, as the settings that Grafana saves for a data source. */
export function withDraft(options: Options, draft: Draft, stored: PluginSettings): Options {
  const { jsonData, secureJsonData } = toPayload(draft, stored);
  const { basicAuth, basicAuthUser, ...rest } = jsonData;
  const replaced = Object.keys(secureJsonData).map((name) => [name, false]);
  return {
    ...options,
    basicAuth: basicAuth === true,
    basicAuthUser: basicAuthUser ?? '',
    jsonData: rest,
    secureJsonData,
    // A secret that Grafana believes to be stored is not sent.
    secureJsonFields: { ...options.secureJsonFields, ...Object.fromEntries(replaced) },
  };
}

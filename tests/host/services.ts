import { BehaviorSubject } from 'rxjs';

import { createTheme, DataSourceInstanceSettings, EventBusSrv } from '@grafana/data';
import {
  config,
  locationService,
  setAppEvents,
  setBackendSrv,
  setDataSourceSrv,
  setLocationSrv,
  setPluginPage,
  setTemplateSrv,
} from './runtime';

import { backendSrv } from './backendSrv';
import { HostPage } from './chrome';
import { HostBoot, HostDataSource, ThemeName } from './types';

/** The services that Grafana registers before it loads a plugin. All of it happens before modules are shared. */
export function registerServices(told: HostBoot, themeName: ThemeName) {
  const theme = createTheme({ colors: { mode: themeName } });
  config.theme2 = theme;
  config.theme = theme.v1;
  setBackendSrv(backendSrv as unknown as Parameters<typeof setBackendSrv>[0]);
  setLocationSrv(locationService);
  setAppEvents(new EventBusSrv());
  setTemplateSrv(templateSrv as unknown as Parameters<typeof setTemplateSrv>[0]);
  setDataSourceSrv(dataSourceSrv(told.dataSources) as unknown as Parameters<typeof setDataSourceSrv>[0]);
  setPluginPage(HostPage);
  return theme;
}

/** Values of dashboard variables, for the pages that show panels; pages of the app have none. */
export const variables = new BehaviorSubject<Record<string, string>>({});

const templateSrv = {
  getVariables: () => Object.keys(variables.value).map((name) => ({ name, type: 'custom' })),
  replace: (text = '') =>
    text.replace(/\$\{?(\w+)\}?/g, (whole: string, name: string) => variables.value[name] ?? whole),
  containsTemplate: (text = '') => /\$\{?\w+\}?/.test(text),
  updateTimeRange: () => undefined,
};

function instanceSettings(source: HostDataSource): DataSourceInstanceSettings {
  const meta = {
    id: source.type,
    name: source.type,
    type: 'datasource',
    baseUrl: '',
    module: '',
    info: { logos: { small: '/public/plugins/replaylab-evidence-app/img/logo.svg', large: '' } },
  };
  return { ...source, access: 'proxy', jsonData: source.jsonData ?? {}, meta } as unknown as DataSourceInstanceSettings;
}

const dataSourceSrv = (sources: HostDataSource[]) => {
  const all = sources.map(instanceSettings);
  const find = (ref: unknown) => {
    const uid = typeof ref === 'object' && ref !== null && 'uid' in ref ? ref.uid : ref;
    return all.find((source) => source.uid === uid || source.name === uid);
  };
  return {
    getList: ({
      type,
      filter,
    }: { type?: string | string[]; filter?: (s: DataSourceInstanceSettings) => boolean } = {}) =>
      all
        .filter((source) => !type || (Array.isArray(type) ? type : [type]).includes(source.type))
        .filter((source) => !filter || filter(source)),
    getInstanceSettings: find,
    get: async (ref: unknown) => Promise.reject(new Error(`the host does not load the data source ${String(ref)}`)),
    reload: () => undefined,
  };
};

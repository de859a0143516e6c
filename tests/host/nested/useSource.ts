import { useMemo } from 'react';
import { firstValueFrom } from 'rxjs';

import {
  CoreApp,
  DataQuery,
  DataQueryRequest,
  DataQueryResponse,
  DataSourceApi,
  DataSourceInstanceSettings,
  DataSourcePlugin,
} from '@grafana/data';
import { getDataSourceSrv } from '@grafana/runtime';

import { HostBoot } from '../types';
import { labRange } from './time';
import { usePlugin } from './usePlugin';

export type AnySource = DataSourceApi<DataQuery>;
export type AnyPlugin = DataSourcePlugin<AnySource, DataQuery>;

/** The nested data source of this build, and the instance of it that the organisation has. */
export function useSource(told: HostBoot) {
  const nested = told.plugins.find(({ type }) => type === 'datasource');
  const { plugin, error } = usePlugin<AnyPlugin>(nested?.module);
  const configured = told.dataSources.find(({ type }) => type === nested?.id);
  const source = useMemo(() => {
    const settings = configured && getDataSourceSrv().getInstanceSettings(configured.uid);
    if (!plugin || !settings) {
      return undefined;
    }
    const made = new plugin.DataSourceClass(settings as DataSourceInstanceSettings);
    made.components = plugin.components;
    return made;
  }, [plugin, configured]);
  return { plugin, source, configured, error: error ?? (configured ? undefined : 'no data source is configured') };
}

/** Runs queries as Grafana's own query runner does, once. */
export function runQuery(source: AnySource, query: DataQuery): Promise<DataQueryResponse> {
  const range = labRange();
  const request: DataQueryRequest = {
    app: CoreApp.Explore,
    requestId: 'host',
    interval: '1s',
    intervalMs: 1000,
    maxDataPoints: 1000,
    range,
    scopedVars: {},
    startTime: Date.now(),
    timezone: 'browser',
    targets: [{ ...query, datasource: { uid: source.uid, type: source.type } }],
  };
  const wanted = source.filterQuery ? request.targets.filter((one) => source.filterQuery?.(one)) : request.targets;
  return wanted.length === 0
    ? Promise.resolve({ data: [] })
    : firstValueFrom(
        source.query({ ...request, targets: wanted }) as Parameters<typeof firstValueFrom<DataQueryResponse>>[0]
      );
}

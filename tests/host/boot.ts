// The first script of the host page: tells the @grafana packages who they run for. They read it when they are imported,
// so everything else is imported afterwards.

import { HostBoot } from './types';

async function boot() {
  const answer = await fetch('/host/boot.json');
  const told: HostBoot = await answer.json();
  const light = new URLSearchParams(window.location.search).get('theme') === 'light';
  const settings = {
    appSubUrl: '',
    appUrl: window.location.origin + '/',
    buildInfo: { version: told.version, env: 'production', edition: 'Open Source', commit: '', hideVersion: false },
    datasources: {},
    defaultDatasource: '',
    exploreEnabled: true,
    featureToggles: {},
    panels: {},
    apps: {},
    licenseInfo: {},
    unifiedAlerting: {},
    dateFormats: {
      fullDate: 'YYYY-MM-DD HH:mm:ss',
      interval: {
        millisecond: 'HH:mm:ss.SSS',
        second: 'HH:mm:ss',
        minute: 'HH:mm',
        hour: 'MM/DD HH:mm',
        day: 'MM/DD',
        month: 'YYYY-MM',
        year: 'YYYY',
      },
      useBrowserLocale: false,
    },
  };
  const user = {
    ...told.user,
    isSignedIn: true,
    isGrafanaAdmin: false,
    lightTheme: light,
    theme: light ? 'light' : 'dark',
    timezone: 'browser',
    weekStart: 'monday',
    language: 'en-US',
    permissions: {},
  };
  Object.assign(window, { __grafana_public_path__: '/public/', grafanaBootData: { settings, user, navTree: [] } });
  const { start } = await import('./main');
  await start(told, light ? 'light' : 'dark');
}

void boot();

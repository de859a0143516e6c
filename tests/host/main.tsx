import React, { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Routes, unstable_HistoryRouter as HistoryRouter, useLocation } from 'react-router-dom';

import {
  AppPlugin,
  AppPluginMeta,
  AppRootProps,
  GrafanaTheme2,
  PluginContextProvider,
  ThemeContext,
} from '@grafana/data';
import { initPluginTranslations } from '@grafana/i18n';
import { GlobalStyles, LoadingPlaceholder, PortalContainer } from '@grafana/ui';

import { HostFrame, HostPage } from './chrome';
import { routerHistory } from './history';
import { nestedRoutes } from './nested/routes';
import { registerServices } from './services';
import { importPlugin, shareModules } from './shared';
import { HostBoot, ThemeName } from './types';

interface AppProps {
  plugin: AppPlugin;
  meta: AppPluginMeta;
}

function AppRoot({ plugin, meta }: AppProps) {
  const location = useLocation();
  const Root = plugin.root;
  if (!Root) {
    return <p>The app has no root page.</p>;
  }
  const props: AppRootProps = {
    basename: `/a/${meta.id}`,
    meta,
    onNavChanged: () => undefined,
    path: location.pathname,
    query: Object.fromEntries(new URLSearchParams(location.search)),
  };
  return (
    <Suspense fallback={<LoadingPlaceholder text="Loading the app" />}>
      <Root {...props} />
    </Suspense>
  );
}

function ConfigPage({ plugin, meta }: AppProps) {
  const page = plugin.configPages?.[0];
  if (!page) {
    return <p>The app has no configuration page.</p>;
  }
  const Body = page.body;
  return (
    <HostPage pageNav={{ text: page.title }}>
      <Body plugin={{ ...plugin, meta } as AppPlugin} query={{}} />
    </HostPage>
  );
}

function Host({ plugin, meta, theme, told }: AppProps & { theme: GrafanaTheme2; told: HostBoot }) {
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <HistoryRouter history={history} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
        <PluginContextProvider meta={meta}>
          <HostFrame appId={meta.id}>
            <Routes>
              <Route path={`/a/${meta.id}/*`} element={<AppRoot plugin={plugin} meta={meta} />} />
              <Route path={`/plugins/${meta.id}`} element={<ConfigPage plugin={plugin} meta={meta} />} />
              {nestedRoutes(told)}
              <Route path="*" element={<p>The host has no such page.</p>} />
            </Routes>
          </HostFrame>
        </PluginContextProvider>
      </HistoryRouter>
      <PortalContainer />
    </ThemeContext.Provider>
  );
}

const history = routerHistory();

/** Loads the app's module and shows it. */
export async function start(told: HostBoot, themeName: ThemeName) {
  const app = told.plugins.find((plugin) => plugin.type === 'app');
  const container = document.getElementById('root');
  if (!app || !container) {
    throw new Error('the host page has nothing to show');
  }
  const theme = registerServices(told, themeName);
  await initPluginTranslations('replay-evidence-host', []);
  shareModules();
  const [plugin, meta] = await Promise.all([
    importPlugin<AppPlugin>(app.module),
    fetch(`/api/plugins/${app.id}/settings`).then((answer): Promise<AppPluginMeta> => answer.json()),
  ]);
  plugin.meta = meta;
  plugin.init?.(meta);
  createRoot(container).render(<Host plugin={plugin} meta={meta} theme={theme} told={told} />);
}

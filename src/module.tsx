import React, { lazy, Suspense } from 'react';

import { AppPlugin } from '@grafana/data';
import { LoadingPlaceholder } from '@grafana/ui';

const App = lazy(() => import(/* webpackChunkName: "app" */ './components/App/App'));
const LazyAppConfig = lazy(() => import(/* webpackChunkName: "configuration" */ './components/AppConfig/AppConfig'));

const AppConfig = () => (
  <Suspense fallback={<LoadingPlaceholder text="" />}>
    <LazyAppConfig />
  </Suspense>
);

// Grafana wraps the root page in its own Suspense, but not the configuration page.
export const plugin = new AppPlugin<{}>().setRootPage(App).addConfigPage({
  title: 'Configuration',
  icon: 'cog',
  body: AppConfig,
  id: 'configuration',
});

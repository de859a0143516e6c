import React, { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';

import { AppRootProps } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';

import { ROUTES } from '../../constants';
import { Guard } from '../ErrorBoundary/Guard';
import { LoadingView } from '../StateViews/StateViews';

// One chunk each, so that a page loads what it shows and no more.
const RunsPage = lazy(() => import(/* webpackChunkName: "runs" */ '../../pages/Runs/RunsPage'));
const ComparePage = lazy(() => import(/* webpackChunkName: "compare" */ '../../pages/Compare/ComparePage'));
const SidePage = lazy(() => import(/* webpackChunkName: "side" */ '../../pages/Side/SidePage'));

const loading = (
  <PluginPage>
    <LoadingView label="Loading the page" lines={6} />
  </PluginPage>
);

function App(_props: AppRootProps) {
  return (
    <Guard name="app">
      <Suspense fallback={loading}>
        <Routes>
          <Route path={ROUTES.Runs} element={<RunsPage />} />
          <Route path={ROUTES.Compare} element={<ComparePage />} />
          <Route path={ROUTES.Side} element={<SidePage />} />
          <Route path="*" element={<Navigate to={ROUTES.Runs} replace />} />
        </Routes>
      </Suspense>
    </Guard>
  );
}

export default App;

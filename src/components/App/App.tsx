import React from 'react';
import { Route, Routes } from 'react-router-dom';

import { AppRootProps } from '@grafana/data';
import { PluginPage } from '@grafana/runtime';

import { Guard } from '../ErrorBoundary/Guard';
import { AppStatus } from '../AppStatus/AppStatus';

function App(_props: AppRootProps) {
  return (
    <Guard name="app">
      <Routes>
        <Route
          path="*"
          element={
            <PluginPage>
              <AppStatus />
            </PluginPage>
          }
        />
      </Routes>
    </Guard>
  );
}

export default App;

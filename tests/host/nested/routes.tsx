import React from 'react';
import { Route } from 'react-router-dom';

import { HostBoot } from '../types';
import { PanelPage } from './PanelPage';
import { AnnotationPage, ExplorePage, SettingsPage, VariablePage } from './SourcePages';

/** Pages of the host for the nested plugins. Grafana has a dashboard, Explore and pages of settings for them. */
export const nestedRoutes = (told: HostBoot) => [
  <Route key="panel" path="/d/panel" element={<PanelPage told={told} />} />,
  <Route key="explore" path="/explore" element={<ExplorePage told={told} />} />,
  <Route key="annotations" path="/d/annotations" element={<AnnotationPage told={told} />} />,
  <Route key="variables" path="/d/variables" element={<VariablePage told={told} />} />,
  <Route key="settings" path="/connections/datasources/edit" element={<SettingsPage told={told} />} />,
];

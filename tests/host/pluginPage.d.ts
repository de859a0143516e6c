declare module '@grafana/runtime/pluginPage' {
  import { ComponentType } from 'react';
  import { PluginPageProps } from '@grafana/runtime';

  export function setPluginPage(component: ComponentType<PluginPageProps>): void;
}

// setPluginPage is not in the public exports of @grafana/runtime; the bundler maps this name to the file behind it.
export { setPluginPage } from '@grafana/runtime/pluginPage';
export {
  config,
  locationService,
  setAppEvents,
  setBackendSrv,
  setDataSourceSrv,
  setLocationSrv,
  setTemplateSrv,
} from '@grafana/runtime';

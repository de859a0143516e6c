import * as emotionCss from '@emotion/css';
import * as emotionReact from '@emotion/react';
import * as grafanaData from '@grafana/data';
import * as grafanaRuntime from '@grafana/runtime';
import * as grafanaUi from '@grafana/ui';
import * as i18next from 'i18next';
import lodash from 'lodash';
// Plugins may take it from the host, so the host must have it.
// eslint-disable-next-line no-restricted-imports
import moment from 'moment';
import * as react from 'react';
import * as reactJsxDevRuntime from 'react/jsx-dev-runtime';
import * as reactJsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactRouter from 'react-router';
import * as rxjs from 'rxjs';
import * as rxjsOperators from 'rxjs/operators';

import 'systemjs/dist/system.js';
import 'systemjs/dist/extras/amd.js';

// What Grafana gives to plugins instead of letting them bundle it. SystemJS copies the values, so this must happen after
// every service is registered.
const SHARED: Record<string, object> = {
  '@emotion/css': emotionCss,
  '@emotion/react': emotionReact,
  '@grafana/data': grafanaData,
  '@grafana/runtime': grafanaRuntime,
  '@grafana/ui': grafanaUi,
  i18next,
  lodash: { ...lodash, default: lodash },
  moment: { ...moment, default: moment },
  react,
  'react-dom': reactDom,
  'react-router': reactRouter,
  'react/jsx-dev-runtime': reactJsxDevRuntime,
  'react/jsx-runtime': reactJsxRuntime,
  rxjs,
  'rxjs/operators': rxjsOperators,
};

/** Publishes the shared modules; afterwards a plugin's module can be imported. */
export function shareModules() {
  const imports: Record<string, string> = {};
  for (const [name, module] of Object.entries(SHARED)) {
    imports[name] = `app:${name}`;
    System.set(`app:${name}`, { __useDefault: false, ...module });
  }
  System.addImportMap({ imports });
}

/** Imports a built plugin module. */
export async function importPlugin<T>(module: string): Promise<T> {
  const loaded: { plugin: T } = await System.import(module);
  return loaded.plugin;
}

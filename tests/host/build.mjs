// Bundles the host page into .cache/host: the real @grafana packages, a router, and what a plugin shares with them.

import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import esbuild from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '..', '..');
const out = path.join(root, '.cache', 'host');
const modules = path.join(root, 'node_modules');

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

await esbuild.build({
  entryPoints: [path.join(here, 'boot.ts')],
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
  alias: {
    '@grafana/runtime/pluginPage': path.join(modules, '@grafana/runtime/dist/esm/components/PluginPage.mjs'),
  },
  loader: { '.svg': 'dataurl', '.png': 'dataurl', '.woff2': 'file', '.woff': 'file', '.ttf': 'file' },
});

// The fonts that @grafana/ui asks for, under the names it asks for.
const fonts = {
  'inter/Inter-Regular.woff2': 'inter-ui/web/Inter-Regular.woff2',
  'inter/Inter-Medium.woff2': 'inter-ui/web/Inter-Medium.woff2',
  'inter/Inter-Italic.woff2': 'inter-ui/web/Inter-Italic.woff2',
  'inter/Inter-MediumItalic.woff2': 'inter-ui/web/Inter-MediumItalic.woff2',
  'roboto/L0xTDF4xlVMF-BfR8bXMIhJHg45mwgGEFl0_3vrtSM1J-gEPT5Ese6hmHSh0mQ.woff2':
    '@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2',
};
for (const [name, from] of Object.entries(fonts)) {
  await cp(path.join(modules, from), path.join(out, 'fonts', name));
}
// @grafana/ui is published without the one icon that Grafana animates.
for (const name of ['index.html', 'spinner.svg']) {
  await cp(path.join(here, name), path.join(out, name));
}

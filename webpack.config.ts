import CopyWebpackPlugin from 'copy-webpack-plugin';
import type { Configuration } from 'webpack';
import { merge } from 'webpack-merge';
import VirtualModulesPlugin from 'webpack-virtual-modules';

import { getPluginJson } from './.config/bundler/utils.ts';
import grafanaConfig, { type Env } from './.config/webpack/webpack.config.ts';

const appId: string = getPluginJson().id;

// Every chunk is written to the root of dist, also those which only a nested plugin loads. The scaffold derives the
// public path from the module that asks, so a nested module would look for its chunks below its own id, where Grafana
// serves a sub-folder of dist. This module answers with the app's path for all of them, keeping a host or a sub-path
// in front of `public/plugins/` as it was.
const appPublicPath = new VirtualModulesPlugin({
  'node_modules/grafana-public-path.js': `
import amdMetaModule from 'amd-module';

const uri = (amdMetaModule && amdMetaModule.uri) || 'public/plugins/';
const mark = '/plugins/';
const end = uri.indexOf(mark);
__webpack_public_path__ = (end < 0 ? 'public/plugins/' : uri.slice(0, end + mark.length)) + '${appId}/';
`,
});

/** The scaffold copies every JSON file below src; the schema that the types are made from is not part of the plugin. */
function withoutSchemas(plugin: unknown) {
  if (plugin instanceof CopyWebpackPlugin) {
    for (const pattern of (plugin as unknown as { patterns: CopyWebpackPlugin.ObjectPattern[] }).patterns) {
      if (pattern.from === '**/*.json') {
        pattern.globOptions = { ignore: ['**/types/**'] };
      }
    }
  }
}

const config = async (env: Env): Promise<Configuration> => {
  const base = await grafanaConfig(env);
  base.plugins?.forEach(withoutSchemas);
  return merge(
    { ...base, plugins: base.plugins?.filter((plugin) => !(plugin instanceof VirtualModulesPlugin)) },
    {
      // Numbered chunks can get the number 0, for which the integrity plugin writes no hash, and browsers complain.
      optimization: { chunkIds: 'named' },
      plugins: [
        appPublicPath,
        // The scaffold copies the logos of the root plugin only.
        new CopyWebpackPlugin({ patterns: [{ from: '*/img/**/*.svg', to: '.', noErrorOnMissing: true }] }),
      ],
    }
  );
};

export default config;

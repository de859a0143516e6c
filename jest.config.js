// force timezone to UTC to allow tests to work regardless of local timezone
// generally used by snapshots, but can affect specific tests
process.env.TZ = 'UTC';

const baseConfig = require('./.config/jest.config');
const { grafanaESModules, nodeModulesToTransform } = require('./.config/jest/utils');

const [[, swcTransform]] = Object.entries(baseConfig.transform);

module.exports = {
  // Jest configuration provided by Grafana scaffolding
  ...baseConfig,
  // d3-color ships .mjs files, which the scaffold's pattern leaves untransformed.
  transform: { '^.+\\.(t|j)sx?$|^.+\\.mjs$': swcTransform },
  // @grafana/ui 13.2 reaches these two, which are published as ES modules only.
  transformIgnorePatterns: [nodeModulesToTransform([...grafanaESModules, '@react-hookz/web', '@ver0/deep-equal'])],
  // React component tests import the whole of @grafana/ui; on a busy two-core machine that takes seconds.
  testTimeout: 30_000,
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.cache'],
};

// Documents that the backend's own tests wrote, for the tests of this page.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Comparison, SettingsResponse, SidesResponse } from '../../types/generated';

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(__dirname, '../../../pkg', file), 'utf8'));

/** Measured with metrics: every part of the page has figures. */
export const measured = () => read('plugin/testdata/contract/comparison.json') as Comparison;

/** The same two sides without a metrics server. */
export const unmeasured = () => read('plugin/testdata/contract/comparison-plain.json') as Comparison;

/** Two recordings of the orders service, one of them with an N+1. */
export const withStatements = () => read('report/testdata/orders.json') as Comparison;

export const sides = () => read('plugin/testdata/contract/sides.json') as SidesResponse;

export const settings = () => read('plugin/testdata/contract/settings.json') as SettingsResponse;

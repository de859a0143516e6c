// The files that the backend's tests write are what the pages are built on: each must fit the schema that the types
// are generated from, and a document that does not fit must be noticed.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import Ajv2020 from 'ajv/dist/2020';

import schema from '../types/api.schema.json';
import type { Comparison, EvidenceSide, SidesResponse } from '../types/generated';

const folder = path.join(__dirname, '../../pkg/plugin/testdata/contract');
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

/** Which document of the API each file holds. */
const DOCUMENTS: Record<string, string> = {
  'check.json': 'CheckResponse',
  'comparison-plain.json': 'Comparison',
  'comparison.json': 'Comparison',
  'evidence.json': 'EvidenceSide',
  'problem.json': 'Problem',
  'settings.json': 'SettingsResponse',
  'sides.json': 'SidesResponse',
};

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema(schema);
const faults = (document: string, value: unknown) => {
  const validate = ajv.compile({ $ref: `${schema.$id}#/$defs/${document}` });
  validate(value);
  return validate.errors ?? [];
};

test('every file of the contract is known here', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(DOCUMENTS).sort());
});

test.each(Object.entries(DOCUMENTS))('%s is a %s', (file, document) => {
  expect(faults(document, read(file))).toEqual([]);
});

test('a figure of the wrong kind is noticed', () => {
  const comparison = read('comparison.json') as Comparison;
  const broken = { ...comparison, comparable: 'yes', profile: { ...comparison.profile, quantile: undefined } };
  expect(faults('Comparison', JSON.parse(JSON.stringify(broken))).map((fault) => fault.instancePath)).toEqual(
    expect.arrayContaining(['/comparable', '/profile'])
  );
});

test('a null figure always says why', () => {
  const silent: string[] = [];
  const visit = (value: unknown, where: string) => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => visit(item, `${where}[${index}]`));
    } else if (typeof value === 'object' && value !== null) {
      const record = value as Record<string, unknown>;
      const why = { ...(record.reasons as object), ...(record.nullReasons as object) };
      for (const [key, item] of Object.entries(record)) {
        // Whole parts that a side does not have are not figures.
        const part = ['declared', 'statements', 'repeats', 'mock', 'load', 'functional', 'window', 'upper'].includes(
          key
        );
        if (item === null && !part && !(key in why)) {
          silent.push(`${where}.${key}`);
        }
        visit(item, `${where}.${key}`);
      }
    }
  };
  const comparison = read('comparison-plain.json') as Comparison;
  const side = read('evidence.json') as EvidenceSide;
  const sides = read('sides.json') as SidesResponse;
  visit(comparison.sides, 'sides');
  visit(comparison.table, 'table');
  visit(side, 'evidence');
  visit(sides, 'sides');
  expect(silent).toEqual([]);
});

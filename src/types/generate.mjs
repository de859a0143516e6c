// Writes generated.ts from api.schema.json, which in turn is generated from the Go structs; with --check it only says
// whether the two still fit together.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const target = here('generated.ts');

const schema = JSON.parse(await readFile(here('api.schema.json'), 'utf8'));

// A reference with a description of its own would become a second copy of the type under another name; as the only
// member of a combination it stays one type, and the property keeps its description.
const keepOneType = (node) => {
  if (Array.isArray(node)) {
    return node.map(keepOneType);
  }
  if (node === null || typeof node !== 'object') {
    return node;
  }
  const { $ref, ...rest } = node;
  const kept = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, keepOneType(value)]));
  return $ref === undefined ? kept : Object.keys(kept).length > 0 ? { ...kept, allOf: [{ $ref }] } : { $ref };
};

// The root is a reference too, which has to stay one.
const { $defs, $ref, ...root } = schema;
const types = await compile({ ...root, $ref, $defs: keepOneType($defs) }, 'API', {
  additionalProperties: false,
  bannerComment: '// Generated from the Go structs by "npm run generate:types"; do not edit.',
  format: false,
  strictIndexSignatures: false,
  unknownAny: true,
});
const wanted = await format(types, { ...(await resolveConfig(target)), parser: 'typescript' });

if (!process.argv.includes('--check')) {
  await writeFile(target, wanted);
} else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
  process.stderr.write(
    'src/types/generated.ts does not fit api.schema.json. Run "npm run generate:types" and commit.\n'
  );
  process.exitCode = 1;
}

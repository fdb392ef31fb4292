#!/usr/bin/env node
// Writes the golden vectors of the journal format, and the worked example in its SPEC. What it does is in
// tools/vectors/; this file bundles that first, because Node 20 does not run TypeScript.
//
//   node tools/make-vectors.mjs [--out DIR]
//   node tools/make-vectors.mjs --freeze 2    once, when a major version of the format is frozen
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { out: { type: 'string' }, freeze: { type: 'string' } } });
const kept = path.join(root, 'journal-format/vectors');
const out = values.out ?? kept;

// Beneath node_modules, so that the packages which stay outside the bundle are found from there.
const bundle = path.join(root, `node_modules/.cache/make-vectors-${process.pid}.mjs`);
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['tools/vectors/main.ts'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
  const { freeze, writeExample, writeVectors } = await import(pathToFileURL(bundle).href);
  mkdirSync(out, { recursive: true });
  const bytes = await (values.freeze === undefined
    ? writeVectors(kept, out)
    : freeze(Number(values.freeze), kept));
  if (values.out === undefined) writeExample(path.join(root, 'journal-format/SPEC.md'));
  console.log(`${out}: ${bytes} bytes`);
} finally {
  rmSync(bundle, { force: true });
}

#!/usr/bin/env node
// Maintains and measures the table of secrets. What it does is in tools/redaction/; this file bundles that first,
// because Node 20 does not run TypeScript.
//
//   node tools/redaction.mjs                     the goals: recall per rule and context, ordinary lines that are marked
//   node tools/redaction.mjs recall [--all]      recall per rule, plain and in contexts (--all: every rule and context)
//   node tools/redaction.mjs ordinary [DIR…]     lines of ordinary text that are marked, by rule
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const cache = path.join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const bundle = path.join(cache, `redaction-${process.pid}.mjs`);
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['tools/redaction/main.ts'],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
  });
  const { main } = await import(pathToFileURL(bundle).href);
  process.exitCode = await main(root, process.argv.slice(2));
} finally {
  rmSync(bundle, { force: true });
}

#!/usr/bin/env node
// Runs a program of the tests that is written in TypeScript, on any Node that ben10 runs on.
//
//   node tools/run-typescript.mjs tests/crash/driver.ts [arguments]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Modules that ask where they are get the answer that they would have got unbundled. */
const whereTheyWere = {
  name: 'where-they-were',
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({
      loader: 'ts',
      contents: readFileSync(file, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
    }));
  },
};

/** What tests and programs share may use it for tests; a program that uses none of that must not load it. */
const noVitest = {
  name: 'no-vitest',
  setup(building) {
    building.onResolve({ filter: /^vitest$/ }, ({ path: name }) => ({
      path: name,
      external: true,
      sideEffects: false,
    }));
  },
};

const [source, ...args] = process.argv.slice(2);
// Where Node finds the packages that it imports.
const cache = path.join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const dir = mkdtempSync(path.join(cache, 'ben10-run-'));
try {
  const outfile = path.join(dir, 'program.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    // Bundles that hooks load when they need them.
    external: ['./hook-*.cjs'],
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [whereTheyWere, noVitest],
  });
  // Another program has the other core: threads that tidy up memory would only take from it. What is young is thrown away as a
  // rule, and with more room more seldom.
  const room = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
  const flags = ['--single-threaded-gc', ...room, '--enable-source-maps'];
  const child = spawn(process.execPath, [...flags, outfile, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  // Whoever has waited long enough for this one has for that one.
  process.once('SIGTERM', () => child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

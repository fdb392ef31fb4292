#!/usr/bin/env node
// Builds after an install in a clone, and for `npm install -g .` and `npm install git+…`. An install of the published
// package does not run it.
import { execSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const run = (command, options) => execSync(command, { cwd: root, stdio: 'inherit', ...options });
const { npm_config_global: isGlobal, npm_config_cache: cache } = process.env;
/** npm's own clone of `git+…`, which it packs next. */
const isCopy = cache !== undefined && root.startsWith(path.join(cache, '_cacache'));

// A global install brings none of the packages that a build needs.
if (!existsSync(path.join(root, 'node_modules/esbuild'))) {
  run('npm ci --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error', {
    env: { ...process.env, npm_config_global: 'false', npm_config_location: 'project' },
  });
}
run(`node tools/build.mjs${isCopy ? '' : ' --bundles-only'}`);
if (isGlobal && isCopy) unlinkCopy();

/** npm installs its clone globally, as a link to a folder that it then removes, and unpacks the package through that link. */
function unlinkCopy() {
  const globals = run('npm root -g', { encoding: 'utf8', stdio: 'pipe' }).trim();
  const link = path.join(globals, 'ben10');
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  rmSync(link);
  mkdirSync(link);
}

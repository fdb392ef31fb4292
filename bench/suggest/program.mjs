import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from '../lib/program.mjs';
import { scratch } from '../lib/scratch.mjs';

const require = createRequire(import.meta.url);
const PARTS = `
  export { importTranscripts } from './src/capture/import.ts';
  export { commitsOf } from './src/packs/use/commits.ts';
  export { suggest } from './src/packs/use/suggest.ts';
  export { turnsOf } from './src/packs/use/turns.ts';
  export { loadFileLock } from './src/platform/lock.ts';
  export { openProject } from './src/project/open.ts';
`;

/** What suggests, as the command has it. */
export async function suggestProgram() {
  const outfile = path.join(scratch(), 'suggest.cjs');
  await build({
    stdin: { contents: PARTS, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: { BEN10_VERSION: '"bench"' },
    outfile,
    logLevel: 'warning',
  });
  const program = require(outfile);
  const addons = path.dirname(require.resolve('fs-native-extensions/package.json'));
  return { ...program, lock: program.loadFileLock(path.join(addons, 'prebuilds')) };
}

export const git = (dir, ...args) =>
  execFileSync('git', args, {
    cwd: dir,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

/** A working copy to be set to one commit after another; null where there is no repository. */
export function copyOf(repository) {
  const dir = path.join(scratch(), 'copy');
  try {
    git(scratch(), 'clone', '--quiet', '--shared', '--no-checkout', repository, dir);
    return dir;
  } catch {
    return null;
  }
}

/** @returns the files of the commit */
export function setTo(dir, commit) {
  git(dir, 'read-tree', commit);
  git(dir, 'update-ref', '--no-deref', 'HEAD', commit);
  git(dir, 'clean', '-qfd', '-e', '.ben10');
  try {
    git(dir, 'checkout-index', '--quiet', '--force', '--all');
  } catch {
    // A stored copy may lack its largest files.
  }
  return new Set(git(dir, '-c', 'core.quotePath=false', 'ls-files').split('\n'));
}

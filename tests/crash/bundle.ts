import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { NO_ENVIRONMENT } from './crew.ts';

const require = createRequire(import.meta.url);
const ZSTD = require.resolve('@bokuweb/zstd-wasm');

/** Runs what lies beside it, with what V8 made of it. */
const LAUNCHER = `
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = __filename.replace('.cjs', '.js');
const cachedData = readFileSync(filename + '.cache');
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
if (script.cachedDataRejected) throw new Error('V8 takes nothing of ' + filename + '.cache');
script.runInThisContext()(require, module, __dirname);
`;

/**
 * A program of this folder that Node runs as it is, compiled already: it is started a thousand times, and killed soon
 * after. Give the folder back with `remove`.
 */
export async function bundle(name: string): Promise<{ program: string; remove: () => void }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-crash-'));
  const outfile = path.join(dir, `${name}.js`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    banner: { js: '(function(require,module,__dirname){' },
    footer: { js: '})' },
    // Its own WebAssembly file is looked for beside it.
    alias: { '@bokuweb/zstd-wasm': ZSTD },
    logLevel: 'error',
  });
  copyFileSync(path.join(path.dirname(ZSTD), 'zstd.wasm'), path.join(dir, 'zstd.wasm'));
  // By a process of its own: this one may run under other flags than those that are started.
  execFileSync(process.execPath, ['-e', COMPILER, outfile], { env: NO_ENVIRONMENT });
  const program = path.join(dir, `${name}.cjs`);
  writeFileSync(program, LAUNCHER);
  return { program, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** What V8 makes of all functions of a source, not only of those that are called at once: written beside it. */
const COMPILER = `
const { readFileSync, writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const filename = process.argv[1];
const source = readFileSync(filename, 'latin1');
setFlagsFromString('--no-lazy');
const script = new Script(source, { filename });
// V8 takes it back only under the flags that it was written under.
setFlagsFromString('--lazy');
const cachedData = script.createCachedData();
if (new Script(source, { filename, cachedData }).cachedDataRejected) process.exit(1);
writeFileSync(filename + '.cache', cachedData);
`;

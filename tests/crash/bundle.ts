import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const ZSTD = require.resolve('@bokuweb/zstd-wasm');

/** Runs what lies beside it, with what V8 made of it. */
const LAUNCHER = `
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const filename = __filename.replace('.cjs', '.js');
const cachedData = readFileSync(filename + '.cache');
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
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
  writeFileSync(`${outfile}.cache`, compiled(readFileSync(outfile, 'latin1'), outfile));
  const program = path.join(dir, `${name}.cjs`);
  writeFileSync(program, LAUNCHER);
  return { program, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** What V8 makes of all functions of a source, not only of those that are called at once. */
function compiled(source: string, filename: string): Buffer {
  setFlagsFromString('--no-lazy');
  const script = new Script(source, { filename });
  // V8 takes it back only under the flags that it was written under.
  setFlagsFromString('--lazy');
  return script.createCachedData();
}

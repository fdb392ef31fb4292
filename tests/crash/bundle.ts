import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);
const ZSTD = require.resolve('@bokuweb/zstd-wasm');

/** A program of this folder as one file that Node runs as it is. Give the folder back with `remove`. */
export async function bundle(name: string): Promise<{ program: string; remove: () => void }> {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-crash-'));
  const program = path.join(dir, `${name}.cjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Its own WebAssembly file is looked for beside it.
    alias: { '@bokuweb/zstd-wasm': ZSTD },
    logLevel: 'error',
  });
  copyFileSync(path.join(path.dirname(ZSTD), 'zstd.wasm'), path.join(dir, 'zstd.wasm'));
  return { program, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * The simulation of a copy of the sources, as one program that Node runs as it is.
 * @param {string} root holds `src`, `tests` and `node_modules`
 * @returns {Promise<string>} a folder with `sim.cjs`; the caller removes it
 */
export async function bundleSimulation(root) {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-sim-'));
  await build({
    entryPoints: [path.join(root, 'tests/sim/main.ts')],
    outfile: path.join(dir, 'sim.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  // The encoder of Node 20; it looks for this file beside itself.
  const wasm = 'node_modules/@bokuweb/zstd-wasm/dist/common/zstd.wasm';
  copyFileSync(path.join(root, wasm), path.join(dir, 'zstd.wasm'));
  return dir;
}

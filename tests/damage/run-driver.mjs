import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Bundles a driver in TypeScript to one file, runs it in the repository's folder and ends as it ends. */
export async function runDriver(source, args) {
  // Where Node finds the packages that it imports.
  const cache = path.join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(path.join(cache, 'ben10-driver-'));
  try {
    const outfile = path.join(dir, 'driver.cjs');
    await build({
      entryPoints: [fileURLToPath(source)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'error',
    });
    const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

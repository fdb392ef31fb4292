/**
 * Lets plain Node, from version 20 on, import the driver's TypeScript. For scripts; the tests
 * have vitest. Use: node --import ./ts-loader.mjs FILE, or import it before the first `.ts`.
 */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', sourcefile: url, sourcemap: 'inline' });
  return { format: 'module', shortCircuit: true, source: code };
}

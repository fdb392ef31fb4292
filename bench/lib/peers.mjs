import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { scratch } from './scratch.mjs';

const require = createRequire(import.meta.url);
const hooks = fileURLToPath(new URL('../peer-hooks', import.meta.url));
/** How peers look for their compiled half when they start. */
const FINDERS = /^node-gyp-build(?:-optional-packages)?$/;

/** A package of `bench/package.json`; undefined, and said so, where it cannot be loaded: its rows say so as well. */
export async function peer(name) {
  try {
    return await import(name);
  } catch (error) {
    const why = String(error.message).split('\n')[0];
    process.stderr.write(`${name} cannot be loaded (npm install --prefix bench): ${why}\n`);
    return undefined;
  }
}

/**
 * A hook as it would be written with a peer: one bundled CommonJS file, as fast as the peer starts. What it has to
 * search for its compiled half is left out: a bundle knows where that is.
 * @returns the bundle's file
 */
export async function peerHook(name) {
  const outfile = path.join(scratch(), `${name}.cjs`);
  await build({
    entryPoints: [path.join(hooks, `${name}.cjs`)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    external: ['*.node'],
    define: { SQLITE_BINDING: JSON.stringify(sqliteBinding()) },
    plugins: [bindingsFound],
    logLevel: 'error',
  });
  return outfile;
}

const sqliteBinding = () => {
  try {
    const folder = path.dirname(require.resolve('better-sqlite3/package.json'));
    return path.join(folder, 'build', 'Release', 'better_sqlite3.node');
  } catch {
    return ''; // not installed: its hook is not asked for
  }
};

const bindingsFound = {
  name: 'bindings-found',
  setup(building) {
    building.onResolve({ filter: FINDERS }, ({ path: finder, importer }) => {
      // A package's own folder is the one that its finder is given.
      const name = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(importer);
      const from = createRequire(importer);
      return { path: from(finder).path(name[0]), namespace: 'binding' };
    });
    building.onLoad({ filter: /.*/, namespace: 'binding' }, ({ path: file }) => ({
      contents: `module.exports = () => {
        const addon = { exports: {} };
        process.dlopen(addon, ${JSON.stringify(file)});
        return addon.exports;
      };`,
    }));
  },
};

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
// @ts-expect-error it has no types
import { partsApart } from '../../tools/hook-bundles.mjs';

const ROOT = path.join(import.meta.dirname, '../..');

/** What a bundle is made of: our folders and the packages, as far as something of them is in it; and its bytes. */
async function contentOf(entry: string) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: { BEN10_VERSION: '"0"', HOOK_BUILD: '"000000000000"' },
    external: ['./*.cjs'],
    plugins: [partsApart(entry)],
    outfile: 'unused.cjs',
    logLevel: 'silent',
  });
  const output = Object.values(metafile.outputs)[0] as Metafile['outputs'][string];
  const inputs = Object.entries(output.inputs).flatMap(([name, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [name] : [],
  );
  const folders = new Set<string>();
  const packages = new Set<string>();
  for (const name of inputs) {
    const [, inPackage] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
    if (inPackage !== undefined) packages.add(inPackage);
    else folders.add(path.dirname(name).replace(/^src\//, ''));
  }
  const node = output.imports.filter(({ path: name }) => name.startsWith('node:'));
  return {
    folders: [...folders].sort(),
    packages: [...packages].sort(),
    node: [...new Set(node.map(({ path: name }) => name))].sort(),
    bytes: output.bytes,
  };
}

describe('what is in the bundles of the hook', () => {
  it('the program itself loads nothing but the code cache', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-dispatch.ts');
    expect(folders).toEqual(['hook']);
    expect(packages).toEqual([]);
    expect(node).toEqual(['node:fs', 'node:vm']);
    expect(bytes).toBeLessThan(3_300);
  });

  it('the hook of a tool call is capture, redaction and the append side of the journal, and no package', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-hook.ts');
    expect(folders).toEqual([
      'capture',
      'capture/claude',
      'capture/redaction',
      'events',
      'hook',
      'journal',
      'platform',
      'platform/config',
      'platform/hashes',
      'projections',
    ]);
    expect(packages).toEqual([]);
    // node:crypto alone would take a sixth of an empty process.
    expect(node).toEqual(['node:fs', 'node:path']);
    expect(bytes).toBeLessThan(146_400);
  });

  it('the hooks that come once a turn add projections, recall and the development context, decoders, and nothing for people', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-slow.ts');
    expect(folders).toEqual([
      'capture',
      'capture/claude',
      'capture/redaction',
      'events',
      'hook',
      'journal',
      'platform',
      'platform/codecs',
      'platform/config',
      'platform/hashes',
      'project',
      'projections',
      'projections/folds',
      'recall',
      'timetravel',
      'timetravel/snapshots',
      'workspace',
      'workspace/collectors',
      'workspace/layouts',
    ]);
    expect(packages).toEqual(['@msgpack/msgpack', 'fzstd', 'lz4js']);
    // node:buffer is there before any program is.
    expect(node).toEqual(['node:buffer', 'node:fs', 'node:os', 'node:path']);
    expect(bytes).toBeLessThan(429_300);
  });

  it('the table of secrets is in bundles of its own, which hold nothing else', async () => {
    for (const [entry, most] of [
      ['src/hook/entry-secrets.ts', 35_400],
      ['src/hook/entry-contexts.ts', 34_800],
    ] as const) {
      const { folders, packages, node, bytes } = await contentOf(entry);
      expect(folders).toEqual(['capture/redaction', 'capture/redaction/table', 'hook']);
      expect(packages).toEqual([]);
      expect(node).toEqual([]);
      expect(bytes).toBeLessThan(most);
    }
  });

  it.each(['secrets', 'contexts'])(
    'the bundle of %s is handed all that it has from the one that asks for it',
    async (name) => {
      const entry = `src/hook/entry-${name}.ts`;
      const { outputFiles } = await build({
        absWorkingDir: ROOT,
        entryPoints: [entry],
        bundle: true,
        write: false,
        platform: 'node',
        format: 'cjs',
        external: ['./*.cjs'],
        plugins: [partsApart(entry)],
      });
      const code = outputFiles[0]?.text ?? '';
      const asked = [...code.matchAll(/var (\w+) = require\("(shared\/[\w-]+)"\)/g)].flatMap(
        ([, module, id]) =>
          [...code.matchAll(new RegExp(`\\b${module}\\.(\\w+)`, 'g'))].map(
            ([, one]) => `${id} ${one}`,
          ),
      );
      // What a bundle was handed itself, those that it asks for have as well.
      const handed = ['rules', 'contexts'].flatMap((part) => {
        const source = readFileSync(
          path.join(ROOT, `src/capture/redaction/${part}-apart.ts`),
          'utf8',
        );
        return [...source.matchAll(/'(shared\/[\w-]+)': \{([^}]*)\}/g)].flatMap(([, id, names]) =>
          (names ?? '').split(',').map((one) => `${id} ${one.trim()}`),
        );
      });
      expect(asked.length).toBeGreaterThan(3);
      expect([...new Set(asked)].filter((one) => !handed.includes(one))).toEqual([]);
    },
  );

  it('`ben10 status` is answered without the command line and its packages, and without what Node loads slowly', async () => {
    const { packages, node } = await contentOf('src/cli/entry-status.ts');
    // For settings that are not compiled, long journals, and colours.
    const loadedLate = ['jsonc-parser', 'picocolors', 'xxhash-wasm', 'yaml'];
    expect(packages.filter((name) => !loadedLate.includes(name))).toEqual([
      '@msgpack/msgpack',
      'fzstd',
      'lz4js',
    ]);
    // node:buffer is there before any program is.
    expect(node).toEqual(['node:buffer', 'node:fs', 'node:os', 'node:path']);
  });

  it('none of them is read in the slow way of text that is not ASCII, of those that hooks load', () => {
    for (const name of ['ben10', 'hook', 'hook-slow', 'hook-secrets', 'hook-contexts']) {
      const text = readFileSync(path.join(ROOT, 'dist', `${name}.cjs`), 'latin1');
      expect(/[^\x00-\x7f]/.exec(text)?.index, name).toBeUndefined();
    }
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { LABELLED_LINES } from '../../src/capture/redaction/table/labelled-lines.ts';
import { TOKEN_LINES } from '../../src/capture/redaction/table/token-lines.ts';
// @ts-expect-error it has no types
import { partsApart, programsTexts } from '../../tools/hook-bundles.mjs';

const ROOT = path.join(import.meta.dirname, '../..');

/** What a bundle is made of: the folders of `src/` and the packages, as far as something of them is in it; and its bytes. */
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
    else folders.add(name.split('/')[1] ?? name);
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
    expect(bytes).toBeLessThan(3_400);
  });

  it('the hook of a tool call is capture, redaction and the append side of the journal, and no package', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-hook.ts');
    expect(folders).toEqual(['capture', 'events', 'hook', 'journal', 'platform', 'projections']);
    expect(packages).toEqual([]);
    // node:crypto alone would take a sixth of an empty process.
    expect(node).toEqual(['node:fs', 'node:path']);
    expect(bytes).toBeLessThan(197_500);
  });

  it('the hooks that come once a turn add projections, recall and the development context, decoders, and nothing for people', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-slow.ts');
    expect(folders).toEqual([
      'capture',
      'events',
      'hook',
      'journal',
      'platform',
      'project',
      'projections',
      'recall',
      'timetravel',
      'workspace',
    ]);
    expect(packages).toEqual(['@msgpack/msgpack', 'fzstd', 'lz4js']);
    // node:buffer is there before any program is.
    expect(node).toEqual(['node:buffer', 'node:fs', 'node:os', 'node:path']);
    expect(bytes).toBeLessThan(490_200);
  });

  it('the contexts of secrets are in a bundle of their own, which holds nothing else', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-contexts.ts');
    expect(folders).toEqual(['capture', 'hook']);
    expect(packages).toEqual([]);
    expect(node).toEqual([]);
    expect(bytes).toBeLessThan(54_740);
  });

  it('the bundle of contexts is handed all that it has from the one that asks for it', async () => {
    const entry = 'src/hook/entry-contexts.ts';
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
    const source = readFileSync(path.join(ROOT, 'src/capture/redaction/contexts-apart.ts'), 'utf8');
    const handed = [...source.matchAll(/'(shared\/[\w-]+)': \{([^}]*)\}/g)].flatMap(
      ([, id, names]) => (names ?? '').split(',').map((one) => `${id} ${one.trim()}`),
    );
    expect(asked.length).toBeGreaterThan(3);
    expect([...new Set(asked)].filter((one) => !handed.includes(one))).toEqual([]);
  });

  it('the rows of the table of secrets are texts in files of their own, and in no bundle of hooks', () => {
    const file = (name: string) => readFileSync(path.join(ROOT, 'dist', name), 'latin1');
    expect(file('hook-tokens.txt')).toBe(`${TOKEN_LINES}\n\n`);
    expect(file('hook-labelled.txt')).toBe(`${LABELLED_LINES}\n\n`);
    for (const name of ['hook', 'hook-slow', 'hook-contexts'])
      expect(file(`${name}.cjs`), name).not.toContain('DATADOG-KEY');
  });

  it('the programs of large expressions are texts, too, and only what the machine does not know has none', {
    tags: 'long',
  }, async () => {
    const { texts, without } = await programsTexts(build, ROOT);
    for (const [name, text] of Object.entries(texts))
      expect(readFileSync(path.join(ROOT, 'dist', `hook-${name}.txt`), 'latin1')).toBe(text);
    expect(without.map(({ why }: { why: string }) => why).sort()).toEqual([
      'Backreference',
      'it is not of ASCII',
      'it is not of ASCII',
      'it is not of ASCII',
    ]);
  });

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

  it('none of them is read in the slow way of text that is not ASCII, nor any other that the program loads', () => {
    const bundles = [
      'ben10',
      'hook',
      'hook-slow',
      'hook-contexts',
      'status',
      'supervisor',
      'mcp',
      'cli',
    ];
    const files = bundles.map((name) => `${name}.cjs`);
    const texts = ['programs', 'context-programs', 'tokens', 'labelled'].map(
      (name) => `hook-${name}.txt`,
    );
    for (const name of [...files, ...texts]) {
      const text = readFileSync(path.join(ROOT, 'dist', name), 'latin1');
      expect(/[^\x00-\x7f]/.exec(text)?.index, name).toBeUndefined();
    }
  });
});

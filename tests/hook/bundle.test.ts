import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { describe, expect, it } from 'vitest';
// @ts-expect-error it has no types
import { keywordsMade, writtenMade } from '../../tools/constants-made.mjs';
// @ts-expect-error it has no types
import { rulesApart } from '../../tools/rules-apart.mjs';

const ROOT = path.join(import.meta.dirname, '../..');

const keywords = await keywordsMade(build, ROOT);
const written = await writtenMade(build, ROOT);

/** What a bundle is made of: our folders and the packages, as far as something of them is in it; and its bytes. */
async function contentOf(entry: string, ...more: Plugin[]) {
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
    plugins: [keywords, rulesApart, ...more],
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

  it('the hook of a tool call is capture, redaction, the append side of the journal and the percent, and no package', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-hook.ts', written);
    const recording = ['capture', 'events', 'hook', 'journal', 'platform', 'projections'];
    expect(folders).toEqual([...recording, 'monitor'].sort());
    expect(packages).toEqual([]);
    // node:crypto alone would take a sixth of an empty process.
    expect(node).toEqual(['node:fs', 'node:path']);
    expect(bytes).toBeLessThan(108_900);
  });

  it('the hooks that come once a turn add projections, recall and the development context, decoders, and nothing for people', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/hook/entry-slow.ts');
    expect(folders).toEqual([
      'capture',
      'events',
      'handoff',
      'hook',
      'journal',
      'monitor',
      'platform',
      'project',
      'projections',
      'recall',
      'timetravel',
      'workspace',
    ]);
    // The YAML parser, a fifth of it, is for settings that were changed, as is that of JSON.
    expect(packages).toEqual(['@msgpack/msgpack', 'fzstd', 'jsonc-parser', 'lz4js', 'yaml']);
    // node:buffer is there before any program is.
    expect(node).toEqual(['node:buffer', 'node:fs', 'node:os', 'node:path']);
    expect(bytes).toBeLessThan(642_000);
  });

  it('a checkpoint of the work is taken by a bundle of its own, without YAML', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/handoff/at-hooks.ts');
    expect(folders).toContain('handoff');
    expect(packages).not.toContain('yaml');
    expect(node).toContain('node:child_process');
    expect(bytes).toBeLessThan(316_000);
  });

  it('the rules of redaction are in a bundle of their own, which holds nothing else, and in no other of hooks', async () => {
    const { folders, packages, node } = await contentOf('src/capture/redaction/engine.ts');
    expect(folders).toEqual(['capture']);
    expect([packages, node]).toEqual([[], []]);
    const file = (name: string) => readFileSync(path.join(ROOT, 'dist', `${name}.cjs`), 'latin1');
    expect(file('redaction')).toContain('DATADOG-KEY');
    for (const name of ['hook', 'hook-slow', 'hook-handoff', 'status', 'statusline'])
      expect(file(name), name).not.toContain('DATADOG-KEY');
  });

  it('no hook loads anything of the search index', async () => {
    for (const name of [
      'hook/entry-dispatch',
      'hook/entry-hook',
      'hook/entry-slow',
      'cli/entry-status',
      'statusline/entry',
    ])
      expect((await contentOf(`src/${name}.ts`)).folders, name).not.toContain('search');
  });

  it('the status line is the hook of a tool call, the percent and a look, and starts programs only if asked', async () => {
    const { folders, packages, node, bytes } = await contentOf('src/statusline/entry.ts', written);
    const ofHook = ['capture', 'events', 'hook', 'journal', 'platform', 'projections'];
    expect(folders).toEqual([...ofHook, 'cli', 'monitor', 'statusline'].sort());
    expect(packages).toEqual([]);
    // The first two only with --with.
    expect(node).toEqual(['node:child_process', 'node:crypto', 'node:fs', 'node:path']);
    expect(bytes).toBeLessThan(111_100);
  });

  it('`ben10 status` is answered without the command line and its packages, and without what Node loads slowly', async () => {
    const { packages, node } = await contentOf('src/cli/entry-status.ts');
    // For settings that are not compiled, long journals, colours, and the width of a terminal.
    const width = [
      'ansi-regex',
      'emoji-regex',
      'is-fullwidth-code-point',
      'string-width',
      'strip-ansi',
    ];
    const loadedLate = ['jsonc-parser', 'picocolors', 'xxhash-wasm', 'yaml', ...width];
    expect(packages.filter((name) => !loadedLate.includes(name))).toEqual([
      '@msgpack/msgpack',
      'fzstd',
      'lz4js',
    ]);
    // node:buffer is there before any program is; threads are for terminals.
    expect(node).toEqual(['node:buffer', 'node:fs', 'node:os', 'node:path', 'node:worker_threads']);
  });

  it('none of them is read in the slow way of text that is not ASCII, nor any other that the program loads', () => {
    const bundles = [
      'ben10',
      'hook',
      'hook-slow',
      'hook-handoff',
      'redaction',
      'status',
      'mcp',
      'cli',
    ];
    const files = bundles.map((name) => `${name}.cjs`);
    for (const name of files) {
      const text = readFileSync(path.join(ROOT, 'dist', name), 'latin1');
      expect(/[^\x00-\x7f]/.exec(text)?.index, name).toBeUndefined();
    }
  });
});

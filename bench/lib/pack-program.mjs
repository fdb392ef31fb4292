import path from 'node:path';
import { build } from 'esbuild';
import { root } from './program.mjs';
import { scratch } from './scratch.mjs';

/** Renders a folder into a file, as the command will: counts of the run before in a file of their own, the tokenizer apart. */
const ENTRY = `
import { existsSync, openSync, readFileSync, realpathSync, writeFileSync, writevSync } from 'node:fs';
import { compileRedaction } from './src/capture/redaction/index.ts';
import { EXCLUDED_BY_DEFAULT, excludedBy } from './src/platform/exclude.ts';
import { nodeFs } from './src/platform/fs.ts';
import { KeptCounts } from './src/packs/render/kept.ts';
import { render } from './src/packs/render/render.ts';
import { loadCounter } from './src/packs/render/tokens.ts';

const { dir, output, budget, counts, load } = JSON.parse(process.argv[2]);
if (load) (await loadCounter('cl100k'))('a');
if (load !== undefined) process.exit();
const ground = {
  dir, root: dir + '/.ben10', fs: nodeFs, deny: [],
  excludedBy: (name) => excludedBy(EXCLUDED_BY_DEFAULT, dir, name),
};
const policy = { budgetTokens: budget ?? null, fill: 'prefix', tokenizer: 'cl100k', layout: 'rank' };
const artifact = { id: '00000000', kind: 'glob', source: 'glob:**', priority: 0, options: {}, added: 1 };
const kept = counts && new KeptCounts(Buffer.alloc(32), existsSync(counts) ? readFileSync(counts) : undefined);
const rendered = await render(ground, {
  packs: [{ name: 'bench', policy, artifacts: [artifact] }],
  policy, redaction: compileRedaction().options, kept,
});
const fd = openSync(output, 'w');
for (let at = 0; at < rendered.payload.length; at += 512) writevSync(fd, rendered.payload.slice(at, at + 512));
if (kept?.isChanged) writeFileSync(counts, kept.toBytes());
const { tokens, renderHash, included, excluded } = rendered;
console.log(JSON.stringify({ tokens, renderHash, included: included.length, excluded: excluded.length }));
`;

/** @returns the program's file */
export async function packProgram() {
  const outdir = path.join(scratch(), 'packs');
  await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts', sourcefile: 'render.ts' },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url); const __dirname = import.meta.dirname;",
    },
    define: { BEN10_VERSION: '"bench"' },
    outdir,
    logLevel: 'warning',
  });
  return path.join(outdir, 'stdin.mjs');
}

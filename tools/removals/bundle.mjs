import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

export const ROOT = path.resolve(import.meta.dirname, '../..');
const RUNNER = path.join(ROOT, 'tools/removals/test-runner.mjs');

/** Where Node finds the packages that a bundle imports. */
export function newBundleDir() {
  const cache = path.join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(path.join(cache, 'removals-'));
}

/**
 * The text of a source with its edits done.
 * @throws when a pattern is not there exactly once: then the list of steps is out of date
 */
export function edited(file, text, edits) {
  let now = text;
  for (const { from, to } of edits) {
    const times = now.split(from).length - 1;
    if (times !== 1) throw new Error(`${file} holds ${times} times: ${from}`);
    now = now.replace(from, () => to);
  }
  return now;
}

/** Sources are edited as they are read; nothing is copied. */
const editing = (edits) => ({
  name: 'edit',
  setup({ onLoad }) {
    // Of those names alone: each file that is asked about goes from esbuild's process to this one and back.
    const names = edits.map(({ file }) => path.basename(file).replaceAll('.', '\\.'));
    const filter = new RegExp(`[\\\\/]src[\\\\/](?:.*[\\\\/])?(?:${names.join('|') || 'none'})$`);
    onLoad({ filter }, ({ path: file }) => {
      const own = edits.filter((edit) => path.join(ROOT, 'src', edit.file) === file);
      if (own.length === 0) return undefined;
      return { contents: edited(file, readFileSync(file, 'utf8'), own), loader: 'ts' };
    });
    // A test finds its fixtures from where it stands.
    onLoad({ filter: /[\\/]tests[\\/].*\.ts$/ }, ({ path: file }) => {
      const text = readFileSync(file, 'utf8');
      const dir = JSON.stringify(path.dirname(file));
      return { contents: text.replaceAll('import.meta.dirname', dir), loader: 'ts' };
    });
  },
});

const testEntry = (files) => `
import { runAll } from ${JSON.stringify(RUNNER)};
${files.map((file) => `import ${JSON.stringify(path.join(ROOT, file))};`).join('\n')}
await runAll(process.argv.slice(2));
`;

/**
 * A program of the sources with some edits.
 * @param {string[]} files what it runs: a program, or files of tests
 * @param {{ file: string, from: string, to: string }[]} edits of files in `src/`
 * @param {string} outfile in a folder of `newBundleDir`
 */
export async function bundle(files, edits, outfile) {
  const entry = files[0].endsWith('.test.ts')
    ? { stdin: { contents: testEntry(files), resolveDir: ROOT } }
    : { entryPoints: files.map((file) => path.join(ROOT, file)) };
  await build({
    ...entry,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { vitest: RUNNER },
    plugins: [editing(edits)],
    logLevel: 'silent',
  });
}

import path from 'node:path';
import { programOf } from './expressions.mjs';

/** Bundles of the hook that another one asks for, and the modules that it has from the one that asks (`contexts-apart.ts`). */
const SHARED = {
  'entry-contexts.ts': [
    ...['assigned-value', 'expression', 'pass-phrase', 'setting-signs', 'signs', 'values'],
    ...['session-pair', 'prose-value', 'line-value'],
    ...['labelled', 'secret-under', 'token-at'],
  ],
};

/** What a bundle has elsewhere: files that ask a bundle of its own, or a text, for what is in those that are here. */
const APART = {
  'entry-hook.ts': ['contexts', 'programs', 'rows'],
  'entry-slow.ts': ['contexts', 'programs', 'rows'],
};

/** The rows of the table and the programs of expressions: texts, which the launcher reads. */
const TEXTS = /\/hook-[\w-]+\.txt$/;

/** What the bundle with this entry has elsewhere: most hooks meet no text that needs the table of secrets. */
export const partsApart = (entry) => ({
  name: 'parts-apart',
  setup(building) {
    const name = path.basename(entry);
    for (const part of APART[name] ?? [])
      building.onResolve(
        { filter: new RegExp(`/${part}-here\\.ts$`) },
        ({ path: file, resolveDir }) => ({
          path: path.resolve(resolveDir, file.replace('-here.ts', '-apart.ts')),
        }),
      );
    building.onResolve({ filter: TEXTS }, ({ path: file }) => ({ path: file, external: true }));
    const modules = SHARED[name] ?? [];
    if (modules.length > 0)
      building.onResolve({ filter: /^\..*\.ts$/ }, ({ path: file }) => {
        const module = path.basename(file, '.ts');
        return modules.includes(module) ? { path: `shared/${module}`, external: true } : undefined;
      });
  },
});

/** The rows of the table, by the names that `rows-apart.ts` reads them under. */
export async function rowsTexts(build, root) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'src/capture/redaction/table/rows-here.ts')],
    bundle: true,
    write: false,
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { tokenLines, labelledLines } = await import(`data:text/javascript;base64,${code}`);
  return { tokens: `${tokenLines()}\n\n`, labelled: `${labelledLines()}\n\n` };
}

/** A module in the place of `expression.ts` that notes what is made. */
const NOTING = `
export const made = [];
export const expression = (source, flags = '') => {
  made.push({ source, flags });
  return new RegExp(source, flags);
};
export const matchesOf = (pattern, text) => text.matchAll(pattern);
`;
/** What makes the expressions of a hook's own bundle. */
const OWN = `
import '../index.ts';
import { made } from '../expression.ts';
export { made };
`;
/** The same of all. */
const ALL = `
import { contextRules } from '../contexts-here.ts';
import { made } from '../expression.ts';
contextRules();
export { made };
`;

async function madeBy(contents, build, root, plugins) {
  const noting = {
    name: 'noting',
    setup: (building) =>
      building.onLoad({ filter: /[/\\]redaction[/\\]expression\.ts$/ }, () => ({
        contents: NOTING,
      })),
  };
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: path.join(root, 'src/capture/redaction/table'), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [noting, ...plugins],
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).made;
}

/**
 * The programs of expressions, as `programs-apart.ts` reads them, and of which there is none.
 * @returns {Promise<{ texts: Record<string, string>, without: { source: string, flags: string, why: string }[] }>}
 */
export async function programsTexts(build, root) {
  const own = await madeBy(OWN, build, root, [partsApart('entry-hook.ts')]);
  const all = await madeBy(ALL, build, root, []);
  const known = new Set();
  const without = [];
  const textOf = (made) => {
    const lines = [''];
    for (const { source, flags } of made) {
      const line = `${flags}/${source}`;
      if (known.has(line)) continue;
      known.add(line);
      const isAscii = /^[ -~]*$/.test(line);
      const { words, why } = isAscii ? programOf(source, flags) : { why: 'it is not of ASCII' };
      if (words === undefined) without.push({ source, flags, why });
      else lines.push(line, Buffer.from(words.buffer).toString('base64'));
    }
    return `${lines.join('\n')}\n\n`;
  };
  return { texts: { programs: textOf(own), 'context-programs': textOf(all) }, without };
}

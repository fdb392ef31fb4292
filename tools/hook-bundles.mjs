import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Bundles of the hook that another one asks for, and the modules that it has from the one that asks (`rules-apart.ts`, `contexts-apart.ts`). */
const SHARED = {
  'entry-secrets.ts': ['label-rule', 'label-rules', 'private-tag', 'signs', 'spans', 'web-rules'],
  'entry-contexts.ts': [
    ...['assigned-value', 'signs', 'values'],
    ...['labelled', 'secret-under', 'token-at'],
  ],
};

/** Files of which a bundle has another one, which asks a bundle of its own for what is in the first. */
const APART = {
  'entry-hook.ts': ['rules'],
  'entry-slow.ts': ['rules'],
  'entry-secrets.ts': ['contexts'],
};

/** The table's rows, of which a hook needs neither the vendor nor where its grammar is from. */
const ROWS = /\/redaction\/table\/(?:tokens-\w+|labelled-rows)\.ts$/;

/** V8 reads a text of JSON in a third of the time that it takes to make such rows itself. */
async function rowsAsJson(file, esbuild) {
  const { code } = await esbuild.transform(readFileSync(file, 'utf8'), { loader: 'ts' });
  const rows = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return Object.entries(rows)
    .map(([name, list]) => {
      const own = list.map(([id, _vendor, _source, ...more]) => [id, 0, 0, ...more]);
      return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(own))});`;
    })
    .join('\n');
}

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
    if (name === 'entry-secrets.ts')
      building.onLoad({ filter: ROWS }, async ({ path: file }) => ({
        contents: await rowsAsJson(file, building.esbuild),
        loader: 'js',
      }));
    const modules = SHARED[name] ?? [];
    if (modules.length > 0)
      building.onResolve({ filter: /^\..*\.ts$/ }, ({ path: file }) => {
        const module = path.basename(file, '.ts');
        return modules.includes(module) ? { path: `shared/${module}`, external: true } : undefined;
      });
  },
});

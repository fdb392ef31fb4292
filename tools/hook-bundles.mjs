import path from 'node:path';

/** Bundles of the hook that another one asks for, and the modules that it has from the one that asks (`contexts-apart.ts`). */
const SHARED = {
  'entry-contexts.ts': [
    ...['assigned-value', 'signs', 'values'],
    ...['labelled', 'secret-under', 'token-at'],
  ],
};

/** What a bundle has elsewhere: files that ask a bundle of its own, or a text, for what is in those that are here. */
const APART = {
  'entry-hook.ts': ['contexts', 'rows'],
  'entry-slow.ts': ['contexts', 'rows'],
};

/** The rows of the table: texts, which the launcher reads. */
const ROWS = /\/hook-\w+\.txt$/;

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
    building.onResolve({ filter: ROWS }, ({ path: file }) => ({ path: file, external: true }));
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

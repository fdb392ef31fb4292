import path from 'node:path';

/** Bundles of the hook that another one asks for, and the modules that it has from the one that asks (`rules-apart.ts`, `contexts-apart.ts`). */
const SHARED = {
  'entry-secrets.ts': ['label-rules', 'private-tag', 'signs', 'spans', 'web-rules'],
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

/** Modules that make a text of the table's rows: a hook has that alone. */
const LINES = /\/redaction\/table\/\w+-lines\.ts$/;

/** The module with what it exports as it is, texts alone: V8 does not read them, but takes them from its cache in one piece. */
async function asTexts(file, esbuild) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return Object.entries(await import(`data:text/javascript;base64,${code}`))
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
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
      building.onLoad({ filter: LINES }, async ({ path: file }) => ({
        contents: await asTexts(file, building.esbuild),
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

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
    const modules = SHARED[name] ?? [];
    if (modules.length > 0)
      building.onResolve({ filter: /^\..*\.ts$/ }, ({ path: file }) => {
        const module = path.basename(file, '.ts');
        return modules.includes(module) ? { path: `shared/${module}`, external: true } : undefined;
      });
  },
});

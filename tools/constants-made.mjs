import path from 'node:path';

/** What a file of `src` exports, as constants: worked out from long tables it would delay every start. */
async function constantsOf(name, build, root) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'src', name)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const values = Object.entries(await import(`data:text/javascript;base64,${code}`));
  const contents = values.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`);
  return {
    name: `constants of ${name}`,
    setup(building) {
      const filter = new RegExp(`[\\\\/]${name.replaceAll('/', '[\\\\/]')}$`);
      building.onLoad({ filter }, () => ({ contents: contents.join('\n') }));
    },
  };
}

/** What redaction's prefilter looks for: all bundles. */
export const keywordsMade = (build, root) =>
  constantsOf('capture/redaction/search/keywords.ts', build, root);

/** How events are written: bundles that read none, and so need no fields. */
export const writtenMade = (build, root) => constantsOf('events/written.ts', build, root);

import path from 'node:path';

/** For bundles that have redaction's prefilter and its keywords, and the rules in `redaction.cjs`. */
export async function rulesApart(build, root) {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'src/capture/redaction/search/keywords.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { KEYWORDS } = await import(`data:text/javascript;base64,${code}`);
  return {
    name: 'rules-apart',
    setup(building) {
      building.onResolve({ filter: /\/engine-here\.ts$/ }, ({ resolveDir }) => ({
        path: path.join(resolveDir, 'engine-apart.ts'),
      }));
      building.onLoad({ filter: /[\\/]redaction[\\/]search[\\/]keywords\.ts$/ }, () => ({
        contents: `export const KEYWORDS = ${JSON.stringify(KEYWORDS)};`,
      }));
    },
  };
}

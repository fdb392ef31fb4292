import path from 'node:path';

/** What redaction's prefilter looks for, as a constant: worked out from the rules it would delay every start. */
export async function keywordsMade(build, root) {
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
    name: 'keywords-made',
    setup(building) {
      building.onLoad({ filter: /[\\/]redaction[\\/]search[\\/]keywords\.ts$/ }, () => ({
        contents: `export const KEYWORDS = ${JSON.stringify(KEYWORDS)};`,
      }));
    },
  };
}

/** For bundles that have the rules of redaction in `redaction.cjs`. */
export const rulesApart = {
  name: 'rules-apart',
  setup(building) {
    building.onResolve({ filter: /\/engine-here\.ts$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, 'engine-apart.ts'),
    }));
  },
};

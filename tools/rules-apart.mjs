import path from 'node:path';

/** For bundles that have the rules of redaction in `redaction.cjs`. */
export const rulesApart = {
  name: 'rules-apart',
  setup(building) {
    building.onResolve({ filter: /\/engine-here\.ts$/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, 'engine-apart.ts'),
    }));
  },
};

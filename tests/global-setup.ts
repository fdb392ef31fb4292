import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';

/** Builds the bundles once, so that tests which start real processes run what users run. */
export default function setup({ vitest }: TestProject): () => void {
  execFileSync(process.execPath, ['tools/build.mjs', '--bundles-only'], { stdio: 'inherit' });
  return () => {
    if (!vitest.config.tagsFilter?.includes('!long')) return;
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
    const long = tests.filter(({ tags }) => tags.includes('long'));
    process.stdout.write(
      `Left out: ${long.length} long tests (power cuts, kills, failing disks, random inputs, whole corpora). \`npm run test:all\` runs them, too.\n`,
    );
  };
}

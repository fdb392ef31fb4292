import { execFileSync } from 'node:child_process';

/** Builds the bundles once, so that tests which start real processes run what users run. */
export default function setup(): void {
  execFileSync(process.execPath, ['tools/build.mjs', '--bundles-only'], { stdio: 'inherit' });
}

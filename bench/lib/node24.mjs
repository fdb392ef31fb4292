import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { cache } from './program.mjs';

/** Some peers need a later Node than ben10 does: the one that runs this, or npm's, kept beside the generated data. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const dir = path.join(cache, 'node24');
  const binary = path.join(dir, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(dir, { recursive: true });
    const args = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', dir, 'node@24'];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return binary;
}

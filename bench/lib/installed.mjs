import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './program.mjs';
import { scratch } from './scratch.mjs';

const npm = (args, cwd) =>
  execFileSync('npm', args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

/**
 * ben10 as a user has it: built, packed, and installed from the tarball without running any script.
 * @returns `bin` as npm links it, and `entry`, the file behind that link
 */
export function installed() {
  execFileSync(process.execPath, ['tools/build.mjs', '--bundles-only'], { cwd: root });
  const dir = scratch();
  npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', dir], root);
  const tarball = readdirSync(dir).find((name) => name.endsWith('.tgz'));
  writeFileSync(path.join(dir, 'package.json'), '{"private":true}');
  npm(['install', '--ignore-scripts', '--offline', '--no-audit', '--no-fund', `./${tarball}`], dir);
  return {
    bin: path.join(dir, 'node_modules', '.bin', 'ben10'),
    entry: path.join(dir, 'node_modules', 'ben10', 'dist', 'ben10.cjs'),
    dist: path.join(dir, 'node_modules', 'ben10', 'dist'),
  };
}

/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from './support.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const isWindows = process.platform === 'win32';

// `npm pack`, and what installs the tarball: `tools/check-package.sh`.
describe('README’s ways to install ben10, where npm install was never run', () => {
  it('npm install -g . in a clone', () => {
    const dir = scratch();
    npm(clone(dir), `install -g . --prefix ${dir}/global`);
    expect(ben10(`${dir}/global`, ['version'])).toBe(version());
  });

  // As long as the other one: `BEN10_WHOLE=1` runs it.
  it.runIf(process.env.BEN10_WHOLE === '1')(
    'npm install -g git+…: the package lies there, and no link to a folder of npm’s that is gone',
    () => {
      const dir = scratch();
      const source = clone(dir);
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
          cwd: source,
        });
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'All');
      npm(dir, `install -g git+file://${source.replaceAll('\\', '/')} --prefix ${dir}/global`);
      const installed = path.join(dir, isWindows ? 'global' : 'global/lib', 'node_modules/ben10');
      expect(lstatSync(installed).isDirectory()).toBe(true);
      expect(ben10(`${dir}/global`, ['version'])).toBe(version());
      expect(existsSync(path.join(installed, 'dist/types/index.d.ts'))).toBe(true);
    },
  );
});

it('package.json says where the source, the issues and the homepage are', () => {
  const { repository, bugs, homepage } = about();
  expect(repository).toEqual({ type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/) });
  const source = repository.url.slice('git+'.length, -'.git'.length);
  expect(bugs.url).toBe(`${source}/issues`);
  expect(homepage).toBe(`${source}#readme`);
});

const about = () => JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const version = (): string => about().version;

/** The project's files as a fresh clone has them, with what is not committed yet. */
function clone(dir: string): string {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const to = path.join(dir, 'clone');
  for (const name of new Set(names)) {
    const from = path.join(ROOT, name);
    if (name !== '' && lstatSync(from, { throwIfNoEntry: false })?.isFile())
      cpSync(from, path.join(to, name));
  }
  return to;
}

/** npm as a user runs it, whatever npm runs these tests. The packages are in its cache since the project's own install. */
function npm(cwd: string, command: string): string {
  const env = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return execFileSync('npm', command.split(' '), {
    cwd,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(env),
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
    },
    shell: isWindows,
  });
}

/** Runs what npm put on the PATH. */
const ben10 = (prefix: string, args: string[]): string =>
  execFileSync(path.join(prefix, isWindows ? 'ben10.cmd' : 'bin/ben10'), args, {
    encoding: 'utf8',
    shell: isWindows,
  }).trim();

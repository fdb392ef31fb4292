import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratch } from '../support.ts';

/** Of whoever runs the tests, git sees nothing but the PATH. */
export const GIT_ENV = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

export const gitIn = (dir: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: dir, env: GIT_ENV, encoding: 'utf8', maxBuffer: 1e8 });

export function writeIn(dir: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
}

export function commitIn(dir: string, files: Readonly<Record<string, string | Buffer>>): string {
  writeIn(dir, files);
  gitIn(dir, 'add', '--all', '--force');
  gitIn(dir, 'commit', '--quiet', '--allow-empty', '--message', 'x');
  return gitIn(dir, 'rev-parse', 'HEAD').trim();
}

/** A new repository, with one commit if there are files. */
export function repository(files?: Readonly<Record<string, string | Buffer>>): string {
  const dir = scratch();
  gitIn(dir, 'init', '--quiet', '--initial-branch=main');
  if (files !== undefined) commitIn(dir, files);
  return dir;
}

/** Many lines, some of them changed. */
export const linesWith = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join('');

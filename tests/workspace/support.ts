import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { composeConfig } from '../../src/platform/config/compose.ts';
import type { WorkspaceSettings } from '../../src/platform/config/keys.ts';
import { runner } from '../../src/platform/programs/run.ts';
import { cleaner } from '../../src/workspace/clean.ts';
import type { Around, Recorded } from '../../src/workspace/collectors/collector.ts';

export const defaults = (): WorkspaceSettings => composeConfig([]).workspace;
export const clean = cleaner((text) => text);
export const nothingRecorded = (): Recorded => ({ worktree: undefined, contexts: [] });

/** What a collector gets, with the real programs of this machine. */
export function around(dir: string, more: Partial<Around> = {}): Around {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const env = more.env ?? process.env;
  return {
    dir,
    settings: defaults(),
    run: runner(abort.signal, env),
    clean,
    recorded: nothingRecorded,
    env,
    now: Date.now(),
    ...more,
  };
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};

/** Real git, without anything of whoever runs the tests. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      ...IDENTITY,
    },
  });

/** A repository on the branch `main` with one commit. */
export function repository(dir: string, files: Record<string, string> = { 'a.txt': 'a' }): string {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q', '-b', 'main');
  put(dir, files);
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'First one');
  return dir;
}

export function put(dir: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
}

/** Whether a program is installed here; where it is not, its tests say that they were skipped. */
export const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { safeGit } from '../platform/programs/git.ts';

const TIMEOUT_MS = 5000;

/** What git knows about a project in a working tree. */
export interface GitView {
  /** The repository's own list of ignored files, which all its working trees share. */
  excludeFile: string;
  /** The project's place in the working tree: `` or `packages/one/`. */
  prefix: string;
  isTracked(file: string): boolean;
  isIgnored(file: string): boolean;
}

/** Undefined outside of a working tree, or without git. */
export function gitView(projectDir: string): GitView | undefined {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', safeGit(...args), {
      cwd: projectDir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
      windowsHide: true,
    });
    return status === 0 ? stdout : undefined;
  };
  const place = git('rev-parse', '--show-prefix', '--git-path', 'info/exclude');
  const [prefix, exclude] = place?.split('\n') ?? [];
  if (prefix === undefined || !exclude) return undefined;
  return {
    excludeFile: path.resolve(projectDir, exclude),
    prefix,
    isTracked: (file) =>
      git('ls-files', '--error-unmatch', '--', `:(literal)${file}`) !== undefined,
    isIgnored: (file) => git('check-ignore', '--quiet', '--', file) !== undefined,
  };
}

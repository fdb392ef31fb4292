import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryAt } from '../handoff/repository.ts';
import { OURS } from '../handoff/user-file.ts';
import { within } from '../platform/programs/run-now.ts';

const GIT_MS = 20_000;

/** Git's hash of all that is in the working tree, committed or not; nothing is written to the repository. @returns undefined without git */
export function treeOf(dir: string): string | undefined {
  let apart: string | undefined;
  try {
    const { git, tryGit, index, objects } = repositoryAt(dir, within(GIT_MS));
    apart = mkdtempSync(path.join(tmpdir(), 'ben10-tree-'));
    const env = {
      GIT_INDEX_FILE: path.join(apart, 'index'),
      GIT_OBJECT_DIRECTORY: apart,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    };
    try {
      // It knows which files are unchanged.
      copyFileSync(index, env.GIT_INDEX_FILE);
    } catch {
      // There is none yet.
    }
    tryGit(['add', '--all', '--ignore-errors'], { env });
    git(['rm', '-r', '-q', '-f', '--cached', '--ignore-unmatch', '--', ...OURS], { env });
    return git(['write-tree'], { env }).trim();
  } catch {
    return undefined;
  } finally {
    if (apart !== undefined) rmSync(apart, { recursive: true, force: true });
  }
}

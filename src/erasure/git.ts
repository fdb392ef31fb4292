import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';

/** Git's list of the files that it has; those of the largest repositories are about as large. */
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/** Whether git has the journal of this project: then its history, and every clone, holds what is erased here. */
export function isInGit({ ports, dir, root }: Project): boolean {
  const journal = Buffer.from(`${path.relative(dir, root).replaceAll(path.sep, '/')}/journal/`);
  for (let at = dir; ; at = path.dirname(at)) {
    try {
      return readFile(ports.fs, path.join(at, '.git/index'), INDEX_BYTES_MAX).includes(journal);
    } catch (error) {
      if (errno(error) === undefined) throw error;
    }
    if (at === path.dirname(at)) return false;
  }
}

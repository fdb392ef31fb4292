// Which of the random inputs a run takes: the same for the same sources, so that what passed once passes again, and others
// with each change of them.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A number from 1 to 16,777,215, of the sources and tests as committed; 1 where there is no repository. */
export function sampleOfSources() {
  try {
    const trees = execFileSync(
      'git',
      ['rev-parse', 'HEAD:src', 'HEAD:tests', 'HEAD:journal-format/reader.mjs'],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const parts = trees
      .trim()
      .split('\n')
      .map((hash) => Number.parseInt(hash.slice(0, 6), 16));
    return parts.reduce((all, part) => all ^ part) || 1;
  } catch {
    return 1;
  }
}

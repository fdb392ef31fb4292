import ignore, { type Ignore } from 'ignore';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { FileSystem } from '../platform/fs.ts';

/** A longer one is no list that a person keeps. */
const FILE_BYTES_MAX = 64 * 1024;
const LINES_MAX = 500;
/**
 * Stars in one name of a pattern: each more multiplies what a name made for that takes to compare, and a `.gitignore`
 * comes from whoever made the project.
 */
const STARS_MAX = 3;

/** The rules of one folder; those above it are reached through `above`. */
export interface IgnoreRules {
  /** From the project's folder on, with `/`; empty for that folder itself. */
  folder: string;
  own: Ignore | undefined;
  above: IgnoreRules | undefined;
}

/** The rules in a folder: its `.gitignore`, on top of those above. Links are not followed. */
export function rulesIn(
  fs: FileSystem,
  dir: string,
  folder: string,
  above: IgnoreRules | undefined,
): IgnoreRules {
  const lines = linesOf(fs, dir);
  const own = lines.length === 0 ? undefined : ignore().add(lines);
  return own === undefined && above !== undefined ? above : { folder, own, above };
}

function linesOf(fs: FileSystem, dir: string): string[] {
  try {
    const text = readFile(fs, `${dir}/.gitignore`, FILE_BYTES_MAX).toString('utf8');
    return text.split(/\r?\n/).filter(isCheap).slice(0, LINES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return []; // none there, or none that can be read
  }
}

const isCheap = (line: string): boolean =>
  line.length <= 500 && line.split('/').every((name) => stars(name) <= STARS_MAX);
const stars = (name: string): number => name.split(/\*+/).length - 1;

/**
 * Whether git would pass it over: the innermost `.gitignore` that says something decides.
 * @param path from the project's folder on, with `/`; of a folder it ends with one
 */
export function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  for (let at = rules; at !== undefined; at = at.above) {
    const own = at.own?.test(at.folder === '' ? path : path.slice(at.folder.length + 1));
    if (own?.ignored === true) return true;
    if (own?.unignored === true) return false;
  }
  return false;
}

import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { FileStat, FileSystem } from '../platform/fs.ts';
import type { Project } from '../project/open.ts';
import type { DiskBudget } from './disk-budget.ts';

export const ENTRIES_MAX = 20_000;
const DEPTH_MAX = 40;

export interface WalkedFile {
  /** Relative to the project's folder, with `/`. */
  name: string;
  stat: FileStat;
}

interface Folder {
  /** The same; empty for the project's folder. */
  name: string;
  depth: number;
  rules: IgnoreRules;
}

/** Where to walk, and how far. */
export interface Walk {
  fs: FileSystem;
  dir: string;
  /** The journal's folder, which is left out. */
  root: string;
  entriesMax: number;
  /** What git does not ignore, and is left out all the same. */
  isLeftOut(name: string, stat: FileStat): boolean;
  hasTime(): boolean;
  /** It cannot be listed, or looked at: its name is not text, it is gone meanwhile, or a permission is missing. */
  unread?(name: string, isFolder: boolean): void;
  /** @param limit completes "stopped when …" */
  met(limit: string): void;
}

/** The project's regular files that neither git nor the settings ignore. */
export const walkDisk = (project: Project, budget: DiskBudget): WalkedFile[] =>
  walkTree({
    fs: project.ports.fs,
    dir: project.dir,
    root: project.root,
    entriesMax: ENTRIES_MAX,
    isLeftOut: (name) => project.excludedBy(name) !== undefined,
    hasTime: () => budget.hasTime(),
    met: (limit) => budget.met(limit),
  });

/**
 * The regular files below a folder that git does not ignore, the top ones first. Links are not followed; git's and ben10's folders
 * are left out.
 */
export function walkTree(walk: Walk): WalkedFile[] {
  const { fs, dir: top } = walk;
  const own = path.relative(top, walk.root).split(path.sep).join('/');
  const found: WalkedFile[] = [];
  const excluded = rulesIn(fs, `${top}/.git/info/exclude`, '', undefined);
  const folders: Folder[] = [{ name: '', depth: 0, rules: excluded }];
  let entries = 0;
  // Grows during the loop.
  for (const { name, depth, rules: above } of folders) {
    const dir = name === '' ? top : `${top}/${name}`;
    const names = namesIn(fs, dir);
    if (names === undefined) {
      walk.unread?.(name, true);
      continue;
    }
    // Asking for one that is not there would cost more than all else.
    const hasRules = names.includes('.gitignore');
    const rules = hasRules ? rulesIn(fs, `${dir}/.gitignore`, name, above) : above;
    for (const entry of names) {
      entries += 1;
      if (entries > walk.entriesMax)
        walk.met(`${walk.entriesMax} files and folders were looked at`);
      if (entries > walk.entriesMax || !walk.hasTime()) return found;
      const below = name === '' ? entry : `${name}/${entry}`;
      const stat = statOf(fs, `${dir}/${entry}`);
      if (stat === undefined) walk.unread?.(below, false);
      if (stat === undefined || below === own || isLeftOut(walk, rules, below, stat)) continue;
      if (stat.isFile) found.push({ name: below, stat });
      else if (depth < DEPTH_MAX) folders.push({ name: below, depth: depth + 1, rules });
      else walk.met(`folders were ${DEPTH_MAX} deep`);
    }
  }
  return found;
}

/** Sorted, so that a limit always cuts off the same files. */
function namesIn(fs: FileSystem, dir: string): string[] | undefined {
  try {
    return fs.readdir(dir).sort();
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

function statOf(fs: FileSystem, file: string): FileStat | undefined {
  try {
    return fs.statIfThere(file);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

function isLeftOut(walk: Walk, rules: IgnoreRules, name: string, stat: FileStat): boolean {
  const { isFile, isDirectory } = stat;
  if (!isFile && !isDirectory) return true;
  const last = path.posix.basename(name);
  if (last === '.git' || last === '.ben10') return true;
  if (walk.isLeftOut(name, stat)) return true;
  return isIgnored(rules, isDirectory ? `${name}/` : name);
}

const FILE_BYTES_MAX = 64 * 1024;
const LINES_MAX = 500;
/** Each star in a name multiplies the matching time, and a `.gitignore` may be hostile. */
const STARS_MAX = 3;

interface IgnoreRules {
  folder: string;
  own: Ignore | undefined;
  above: IgnoreRules | undefined;
}

/** The rules for a folder: those of a file, and those above. Links are not followed. */
function rulesIn(
  fs: FileSystem,
  file: string,
  folder: string,
  above: IgnoreRules | undefined,
): IgnoreRules {
  const lines = linesOf(fs, file);
  const own = lines.length === 0 ? undefined : ignore({ ignoreCase: false }).add(lines);
  return { folder, own, above };
}

function linesOf(fs: FileSystem, file: string): string[] {
  try {
    const text = readFile(fs, file, FILE_BYTES_MAX).toString('utf8');
    return text.split(/\r?\n/).filter(isCheap).slice(0, LINES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return []; // none, or unreadable
  }
}

const isCheap = (line: string): boolean =>
  line.length <= 500 && line.split('/').every((name) => stars(name) <= STARS_MAX);
const stars = (name: string): number => name.split(/\*+/).length - 1;

/** Whether git would ignore it: the innermost matching `.gitignore` decides. @param path of a folder ends with `/` */
function isIgnored(rules: IgnoreRules | undefined, path: string): boolean {
  for (let at = rules; at !== undefined; at = at.above) {
    const own = at.own?.test(at.folder === '' ? path : path.slice(at.folder.length + 1));
    if (own?.ignored === true) return true;
    if (own?.unignored === true) return false;
  }
  return false;
}

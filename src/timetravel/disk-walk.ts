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
  rules: IgnoreRules | undefined;
}

/**
 * The project's regular files that neither git nor the settings ignore, the top ones first. Links are not followed; git's and ben10's
 * folders are left out. Reached limits go to the budget.
 */
export function walkDisk(project: Project, budget: DiskBudget): WalkedFile[] {
  const { fs } = project.ports;
  const own = path.relative(project.dir, project.root).split(path.sep).join('/');
  const found: WalkedFile[] = [];
  const folders: Folder[] = [{ name: '', depth: 0, rules: undefined }];
  let entries = 0;
  // Grows during the loop.
  for (const { name, depth, rules: above } of folders) {
    const dir = name === '' ? project.dir : path.join(project.dir, name);
    const rules = rulesIn(fs, dir, name, above);
    for (const entry of namesIn(project, dir)) {
      entries += 1;
      if (entries > ENTRIES_MAX) budget.met(`${ENTRIES_MAX} files and folders were looked at`);
      if (entries > ENTRIES_MAX || !budget.hasTime()) return found;
      const below = name === '' ? entry : `${name}/${entry}`;
      const stat = statOf(project, path.join(project.dir, below));
      if (stat === undefined || below === own || isLeftOut(project, rules, below, stat)) continue;
      if (stat.isFile) found.push({ name: below, stat });
      else if (depth < DEPTH_MAX) folders.push({ name: below, depth: depth + 1, rules });
    }
  }
  return found;
}

/** Sorted, so that a limit always cuts off the same files. An unreadable folder counts as empty. */
function namesIn({ ports }: Project, dir: string): string[] {
  try {
    return ports.fs.readdir(dir).sort();
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return [];
  }
}

function statOf({ ports }: Project, file: string): FileStat | undefined {
  try {
    return ports.fs.statIfThere(file);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

function isLeftOut(
  project: Project,
  rules: IgnoreRules | undefined,
  name: string,
  { isFile, isDirectory }: FileStat,
): boolean {
  if (!isFile && !isDirectory) return true;
  const last = path.posix.basename(name);
  if (last === '.git' || last === '.ben10') return true;
  if (project.excludedBy(name) !== undefined) return true;
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

/** The rules for a folder: its `.gitignore` and those above. Links are not followed. */
function rulesIn(
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

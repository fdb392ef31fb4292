import path from 'node:path';
import { errno } from '../platform/errors.ts';
import type { FileStat } from '../platform/fs.ts';
import type { Project } from '../project/open.ts';
import type { DiskBudget } from './disk-budget.ts';
import { type IgnoreRules, isIgnored, rulesIn } from './ignore-rules.ts';

/** Files and folders that are looked at. */
export const ENTRIES_MAX = 20_000;
const DEPTH_MAX = 40;

export interface WalkedFile {
  /** From the project's folder on, with `/`. */
  name: string;
  stat: FileStat;
}

interface Folder {
  /** From the project's folder on, with `/`; empty for that itself. */
  name: string;
  depth: number;
  rules: IgnoreRules | undefined;
}

/**
 * The files in the project's folder that neither git nor the settings pass over, those nearest to the top first. Links are
 * not followed; what is no regular file is left out, as are git's folders and ben10's own. A limit that was met is told to
 * the budget.
 */
export function walkDisk(project: Project, budget: DiskBudget): WalkedFile[] {
  const { fs } = project.ports;
  const own = path.relative(project.dir, project.root).split(path.sep).join('/');
  const found: WalkedFile[] = [];
  const folders: Folder[] = [{ name: '', depth: 0, rules: undefined }];
  let entries = 0;
  // Grows while it is gone through.
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

/** Sorted, so that a limit cuts off the same ones each time. What cannot be listed has nothing that can be told. */
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

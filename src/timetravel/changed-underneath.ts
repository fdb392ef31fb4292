import { realpathSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { DiskBudget } from './disk-budget.ts';
import { nameOf } from './file-on-disk.ts';
import { statesOf, type TrackedFile, trackedFiles } from './tracked-files.ts';

/** A known file whose content on disk differs from the journal. */
interface ChangedFile {
  path: string;
  status: 'changed' | 'deleted';
  /** Of the event in which the journal last saw it. */
  seq: number;
  at: number;
}

/** The last used files, few enough not to delay a hook. */
export const FILES_LOOKED_AT = 200;
const OTHERS_MAX = 5;
const LIMITS = { bytes: 4 * 1024 * 1024, ms: 150 };
/**
 * Known files that were changed or deleted since the journal last saw them: by size and time, then by hash. Files that cannot be
 * checked within the limits are left out.
 * @param others sessions whose files count too, each file as last seen
 */
export function changedUnderneath(
  project: Project,
  { files }: ContextState,
  others: readonly string[] = [],
): ChangedFile[] {
  const budget = new DiskBudget(project.ports.clock, LIMITS);
  const own = Object.values(files.files);
  const all =
    others.length === 0 ? own : withOthers(own, trackedFiles(statesOf(project, others, budget)));
  const newest = all.slice(-FILES_LOOKED_AT).reverse();
  const changed: ChangedFile[] = [];
  for (const file of newest) {
    if (!budget.hasTime()) break;
    const status = lookAt(project, file, budget);
    const { path: name, lastSeq: seq, lastAt: at } = file;
    if (status !== undefined) changed.push({ path: name, status, seq, at });
  }
  return changed.reverse();
}

function withOthers(own: readonly FileRecord[], others: readonly TrackedFile[]): FileRecord[] {
  const newest = new Map(own.map((file) => [file.path, file]));
  for (const { file } of others) {
    const known = newest.get(file.path);
    if (known === undefined || known.lastAt < file.lastAt) newest.set(file.path, file);
  }
  return [...newest.values()].sort((a, b) => a.lastAt - b.lastAt);
}

/** The last sessions that called tools; few, because each is folded. */
export function othersAtWork({ states }: Project, session: string): string[] {
  const all = Object.values(states.at(recentSessions, null).state.sessions);
  return all
    .filter((one) => one.session !== session && one.toolCalls > 0)
    .sort((a, b) => b.lastAt - a.lastAt)
    .slice(0, OTHERS_MAX)
    .map((one) => one.session);
}

function lookAt(
  project: Project,
  { path: recorded, known, merged }: FileRecord,
  budget: DiskBudget,
): ChangedFile['status'] | undefined {
  const file = path.resolve(project.dir, recorded);
  if (isOutside(project.dir, file) || project.excludedBy(recorded) !== undefined) return undefined;
  if (known === null) return undefined;
  // The journal was chosen, for as long as the disk stays as it was.
  const dismissed = merged?.believed === 'journal' ? merged.hash : undefined;
  try {
    const stat = project.ports.fs.statIfThere(file);
    if (stat === undefined) return dismissed === null ? undefined : 'deleted';
    if (!stat.isFile || (stat.size === known.bytes && stat.mtimeMs <= known.at)) return undefined;
    const real = realpathSync(file);
    if (isOutside(realpathSync(project.dir), real) || !budget.mayRead(stat.size)) return undefined;
    const { hash } = nameOf(readFile(project.ports.fs, real, stat.size));
    return hash === known.hash || hash === dismissed ? undefined : 'changed';
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

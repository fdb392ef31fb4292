import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Ben10Error } from '../platform/errors.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import { contentName } from '../projections/file-text.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import { DiskBudget } from './disk-budget.ts';
import { type WalkedFile, walkDisk } from './disk-walk.ts';
import { compareWithDisk, type KnownStatus, type OnDisk } from './file-on-disk.ts';
import { contextAt, type Replayed } from './replay.ts';
import { resolvePoint } from './resolve.ts';
import { sessionsAt } from './sessions.ts';
import {
  type FileVersion,
  statesOf,
  type TrackedFile,
  trackedFiles,
  versionsOf,
} from './tracked-files.ts';
import { addPatches, type Patch } from './unified.ts';
import { findMoved, isBinaryOnDisk, madeSince } from './untracked.ts';

export type FileStatus = KnownStatus | 'moved' | 'added';

/** A file on disk, compared with what the journal last saw of it. */
export interface FileDifference extends Patch {
  path: string;
  status: FileStatus;
  /** Of the event in which the journal last saw it; null for an added file. */
  seq: number | null;
  at: number | null;
  why?: string;
  movedTo?: string;
  /** An added or changed file is not text. */
  binary?: true;
  /** Target of a link that replaced the file; the target is compared. */
  link?: string;
  /** Current content of a changed file. */
  disk?: { hash: string; bytes: number; mtimeMs: number };
  /** The event that chose the journal's version; the disk is still as it was then. */
  decided?: number;
  /** The session that saw it last, if that is not the diff's own. */
  session?: string;
}

export interface FileDiff {
  kind: 'files';
  session: string | null;
  directory: string | null;
  /** Files of file tools, the last used at the end; then added ones. */
  files: FileDifference[];
  counts: Record<FileStatus, number>;
  /** Limits that were reached: the rest was not examined. */
  limits: string[];
  /** The context was cleared after this event, so older files are not included. */
  cleared?: number;
}

/** For one look at the disk. */
const LIMITS = { bytes: 256 * 1024 * 1024, ms: 10_000 };
export const ADDED_MAX = 500;
/** The last active ones; each is folded. */
const SESSIONS_LOOKED_AT = 50;

interface DiffFilesOptions {
  session?: string | undefined;
  /** Adds unified diffs where the journal has the text. */
  unified?: boolean | undefined;
}

/**
 * Compares the disk with what file tools last saw: changes by editors, shell commands or git show here. Only files inside the
 * project are opened, and excluded ones are left out.
 * @throws Ben10Error POINT_NOT_FOUND for an unknown session
 */
export function diffFiles(project: Project, options: DiffFilesOptions = {}): FileDiff {
  const { session: asked, unified = false } = options;
  const budget = new DiskBudget(project.ports.clock, LIMITS);
  const { state, session, tracked } = tracking(project, asked, budget);
  const { directory } = state;
  const touched = tracked.filter(({ file }) => !isAsLeft(project, file, budget));
  const versions = versionsOf(project, touched);
  const known = tracked.map(({ file }) => file);
  const compared = tracked.map((one) => ({
    ...one,
    found: touched.includes(one)
      ? compareWithDisk(project, one.file, versions.get(one.file.path), budget)
      : ({ status: 'unchanged' } satisfies OnDisk),
  }));
  const untracked = session === null ? [] : untrackedOf(project, known, budget);
  const gone = compared.flatMap(({ file, found }) => {
    const text = file.merged?.believed === 'disk' ? undefined : versions.get(file.path)?.text;
    return found.status === 'deleted' && text !== undefined ? [{ path: file.path, text }] : [];
  });
  const moved = findMoved(project, gone, untracked, budget);
  const files = compared.map(({ file, found, session: owner }) => ({
    ...differenceOf(project, file, found, versions.get(file.path), moved.get(file.path)),
    ...(owner !== session && { session: owner }),
  }));
  if (unified) {
    const after = new Map(compared.map(({ file, found }) => [file.path, found]));
    addPatches(project, directory, files, versions, after);
  }
  const elsewhere = new Set([...moved.values()].map(({ name }) => name));
  const added = addedOf(untracked, elsewhere, state.createdAt);
  files.push(...added.slice(-ADDED_MAX).map((file) => addedFile(project, file, budget)));
  if (added.length > ADDED_MAX) budget.met(`${ADDED_MAX} added files are listed`);
  const counts = { unchanged: 0, changed: 0, deleted: 0, unknown: 0, moved: 0, added: 0 };
  for (const { status } of files) counts[status] += 1;
  counts.added = added.length;
  const { limits } = budget;
  const cleared = state.cleared === null ? {} : { cleared: state.cleared.upto };
  return { kind: 'files', session, directory, files, counts, limits, ...cleared };
}

/**
 * Without a requested session, the files of all sessions, each as last seen. The rest of the diff is about the last session that
 * used a file, since the newest may only just have begun.
 */
function tracking(
  project: Project,
  asked: string | undefined,
  budget: DiskBudget,
): Pick<Replayed<ContextState>, 'state' | 'session'> & { tracked: TrackedFile[] } {
  const about = contextAt(project, resolvePoint(project, '@head', { session: asked }));
  const others = asked === undefined ? sessionsAt(project).filter((one) => one.toolCalls > 0) : [];
  if (others.length > SESSIONS_LOOKED_AT)
    budget.met(`only the last ${SESSIONS_LOOKED_AT} sessions were searched for files`);
  const sessions = others.slice(0, SESSIONS_LOOKED_AT).map(({ session }) => session);
  const states = statesOf(project, sessions, budget);
  if (states.size < sessions.length) budget.met(`there was time for ${states.size} sessions`);
  const own = about.session === null ? [] : [[about.session, about.state] as const];
  const tracked = trackedFiles(new Map([...own, ...states])).filter(
    ({ file }) => project.excludedBy(file.path) === undefined,
  );
  const withFiles = ([, { files }]: readonly [string, ContextState]) =>
    Object.keys(files.files).length > 0;
  const [session, state] = [...own, ...states].find(withFiles) ?? [about.session, about.state];
  return { session, state, tracked };
}

/** Compares hashes, which saves reading the content from the journal. */
function isAsLeft(project: Project, file: FileRecord, budget: DiskBudget): boolean {
  const { known, merged } = file;
  if (known === null || merged !== null) return false;
  const believed = {
    path: file.path,
    merged: { believed: 'disk', hash: known.hash, seq: 0 } as const,
  };
  return compareWithDisk(project, believed, undefined, budget).status === 'unchanged';
}

/** @param option its name in the interface */
export const unifiedOfPoints = (option: string): Ben10Error =>
  new Ben10Error('USAGE', `${option} compares files on disk, not two points`, {
    next: 'Leave out the points, or the option',
  });

function differenceOf(
  project: Project,
  file: FileRecord,
  found: OnDisk,
  version: FileVersion | undefined,
  moved: WalkedFile | undefined,
): FileDifference {
  const { text: _, ...about } = found;
  const where = { path: file.path, seq: file.lastSeq, at: file.lastAt };
  if (moved === undefined) return { ...where, ...about, ...decidedOf(file, found) };
  const disk = { ...contentName(version?.text ?? ''), mtimeMs: moved.stat.mtimeMs };
  const movedTo = path.join(project.dir, moved.name);
  return { ...where, status: 'moved', movedTo, disk, ...decidedOf(file, found) };
}

/** Choosing the journal holds while the disk stays as it was. */
function decidedOf({ merged }: FileRecord, { status, disk }: OnDisk): { decided?: number } {
  if (merged?.believed !== 'journal' || (status !== 'changed' && status !== 'deleted')) return {};
  return merged.hash === (disk?.hash ?? null) ? { decided: merged.seq } : {};
}

/** Files in the project that no file tool used. */
function untrackedOf(
  project: Project,
  known: readonly FileRecord[],
  budget: DiskBudget,
): WalkedFile[] {
  const dirs = [project.dir, realpathSync(project.dir)];
  const names = new Set<string>();
  for (const file of known) {
    const whole = path.resolve(project.dir, file.path);
    const dir = dirs.find((one) => !isOutside(one, whole));
    if (dir !== undefined) names.add(path.relative(dir, whole).split(path.sep).join('/'));
  }
  return walkDisk(project, budget).filter(({ name }) => !names.has(name));
}

const addedOf = (
  untracked: readonly WalkedFile[],
  moved: ReadonlySet<string>,
  since: number | null,
): WalkedFile[] =>
  since === null
    ? []
    : madeSince(
        untracked.filter(({ name }) => !moved.has(name)),
        since,
      );

const addedFile = (project: Project, file: WalkedFile, budget: DiskBudget): FileDifference => ({
  path: path.join(project.dir, file.name),
  status: 'added',
  seq: null,
  at: null,
  ...(isBinaryOnDisk(project, file, budget) && { binary: true as const }),
});

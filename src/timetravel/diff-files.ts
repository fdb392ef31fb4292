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
import type { FileVersion } from './file-versions.ts';
import { addPatches } from './patches.ts';
import { contextAt, type Replayed } from './replay.ts';
import { resolvePoint } from './resolve.ts';
import { sessionsAt } from './sessions.ts';
import { statesOf, type TrackedFile, trackedFiles, versionsOf } from './tracked-files.ts';
import type { Patch } from './unified.ts';
import { findMoved, isBinaryOnDisk, madeSince } from './untracked.ts';

export type FileStatus = KnownStatus | 'moved' | 'added';

/** A file on disk, against what the journal last saw of it. */
export interface FileDifference extends Patch {
  path: string;
  status: FileStatus;
  /** Of the event in which the journal last saw the file; null of one that was added. */
  seq: number | null;
  at: number | null;
  /** Why the status is unknown. */
  why?: string;
  /** Where a file that was moved is now. */
  movedTo?: string;
  /** Of a file that was added or changed: it is no text. */
  binary?: true;
  /** Where a link leads that is in the place of a file that changed; what is compared is behind it. */
  link?: string;
  /** Of a file that changed: what is on disk now. */
  disk?: { hash: string; bytes: number; mtimeMs: number };
  /** The event that decided that the journal counts, whatever the disk has: it still has the same. */
  decided?: number;
  /** Which session saw it last, where that is another than the one that the rest is of. */
  session?: string;
}

/** The files on disk against what the journal last saw of them. */
export interface FileDiff {
  kind: 'files';
  session: string | null;
  /** The session's folder. */
  directory: string | null;
  /** Those that a file tool touched, the one touched last stands last; behind them those that were added. */
  files: FileDifference[];
  counts: Record<FileStatus, number>;
  /** Which limits were met: what lies behind them was not looked at. */
  limits: string[];
  /** The context was cleared behind this event: files that were seen before are not in it. */
  cleared?: number;
}

/** Of one look at the disk. */
const LIMITS = { bytes: 256 * 1024 * 1024, ms: 10_000 };
/** Added files that are listed; all are counted. */
export const ADDED_MAX = 500;
/** Those that were active last: each has to be folded. */
const SESSIONS_LOOKED_AT = 50;

export interface DiffFilesOptions {
  session?: string | undefined;
  /** With a unified diff of each file that changed, was moved or deleted, where the journal has the text. */
  unified?: boolean | undefined;
}

/**
 * Compares the file system with what the agent's file tools last saw of each file: who else changed a file, by an
 * editor, a shell command or git, shows here. Only files inside the project's folder are opened,
 * and those that the settings exclude are left out.
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
 * The files of the session that was asked for; where none was, those of all sessions, whichever saw one last. The rest is of the
 * one that was active last of those that have a file: the last one may just have begun.
 */
function tracking(
  project: Project,
  asked: string | undefined,
  budget: DiskBudget,
): Pick<Replayed<ContextState>, 'state' | 'session'> & { tracked: TrackedFile[] } {
  const about = contextAt(
    project,
    resolvePoint(project, '@head', asked === undefined ? {} : { session: asked }),
  );
  const others = asked === undefined ? sessionsAt(project).filter((one) => one.toolCalls > 0) : [];
  if (others.length > SESSIONS_LOOKED_AT)
    budget.met(`the files of the last ${SESSIONS_LOOKED_AT} sessions are looked at`);
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

/** By its hash, so that what was in it need not be looked for in the journal. */
function isAsLeft(project: Project, file: FileRecord, budget: DiskBudget): boolean {
  const { known, merged } = file;
  if (known === null || merged !== null) return false;
  const believed = {
    path: file.path,
    merged: { believed: 'disk', hash: known.hash, seq: 0 } as const,
  };
  return compareWithDisk(project, believed, undefined, budget).status === 'unchanged';
}

/** @param option as the surface calls it */
export const unifiedOfPoints = (option: string): Ben10Error =>
  new Ben10Error('USAGE', `${option} is for files on disk, and points were given`, {
    next: 'Leave the points out, or the option',
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

/** A decision for the journal holds as long as the disk stays as it was then. */
function decidedOf({ merged }: FileRecord, { status, disk }: OnDisk): { decided?: number } {
  if (merged?.believed !== 'journal' || (status !== 'changed' && status !== 'deleted')) return {};
  return merged.hash === (disk?.hash ?? null) ? { decided: merged.seq } : {};
}

/** What lies in the project's folder that no file tool touched. */
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

import { dirname } from 'node:path';
import { asWriteError } from '../../journal/append/write-errors.ts';
import { storedStates } from '../../journal/erase/derived.ts';
import type { Codec } from '../../platform/codecs/codecs.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { removeIfThere } from '../../platform/files.ts';
import type { Removed, RemovedWhy, Retention } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { type Archived, archivable, archiveStored } from '../snapshots/archive.ts';

type Settings = Ben10Config['context'];

export interface Tidied {
  removed: Removed[];
  bytes: number;
  /** Null when the lock was taken, or nothing was tried. */
  archived: Archived | null;
  /** Stored states removed for lack of room. */
  states: RoomMade;
}

export interface TidyPlan {
  removed: Removed[];
  bytes: number;
  /** To be packed; the resulting size is unknown. */
  archived: { files: number; bytes: number };
  /** Stored states to be removed if packing is not enough. */
  statesIfLarge: RoomMade;
  /** The same, should even that not be enough. */
  removedIfLarge: string[];
}

/** What `tidyStored` would do. @param kept bytes that ben10 keeps in all */
export function planTidy(
  project: Project,
  settings: Settings,
  kept: number,
  retention: readonly Retention[],
): TidyPlan {
  const dueFor = (reasons: readonly RemovedWhy[]) =>
    retention.flatMap((one) => one.due(project, settings, reasons));
  const due = dueFor(['age', 'count']);
  const bytes = due.reduce((sum, one) => sum + one.bytes, 0);
  return {
    removed: due.map(({ what, id, why }) => ({ what, id, why })),
    bytes,
    archived: archivable(project, new Set(due.map(({ file }) => file))),
    statesIfLarge: roomOf(statesToRemove(project, kept - bytes)),
    removedIfLarge: dueFor(['age', 'count', 'size']).flatMap(({ id, why }) =>
      why === 'size' ? [id] : [],
    ),
  };
}

/**
 * Removes what is past its age and count, packs the rest, which loses nothing, and only then removes for size: rebuildable states
 * first.
 * @param kept bytes that ben10 keeps in all by then
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function tidyStored(
  project: Project,
  zstd: Codec,
  settings: Settings,
  kept: () => number,
  retention: readonly Retention[],
): Tidied {
  const removeFor = (reasons: readonly RemovedWhy[]) =>
    retention.map((one) => one.remove(project, settings, reasons));
  const old = removeFor(['age', 'count']);
  const level = settings.compactionSnapshots.compressionLevel;
  const archived = archiveStored(project, zstd, level) ?? null;
  // Unpacked files may still become small enough.
  const states = archived === null ? roomOf([]) : makeRoom(project, kept());
  const all = [...old, ...removeFor(['size'])];
  return {
    removed: all.flatMap(({ removed }) => removed),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    archived,
    states,
  };
}

interface RoomMade {
  files: number;
  bytes: number;
}

/** As disks and file managers count. */
const MB = 1_000_000;

/**
 * The oldest stored states to remove while ben10 keeps more than `context.maxStorageMb`. They can be folded again, so they go first;
 * the newest two of each projection and session stay, because they would soon be stored again. If anything in the journal is
 * unreadable all stay: a later state may be all that is known of it. If that is not enough, the search index goes as a whole.
 * @param kept bytes that ben10 keeps in all
 */
function statesToRemove(project: Project, kept: number): { path: string; bytes: number }[] {
  const { ports, layout, maxStorageMb } = project;
  let over = kept - maxStorageMb * MB;
  if (over <= 0) return [];
  const stored = storedStates(ports, layout).states;
  const sized = (paths: readonly string[]) =>
    paths.flatMap((path) => {
      const stat = ports.fs.statIfThere(path);
      return stat?.isFile === true ? [{ path, bytes: stat.size, storedAt: stat.mtimeMs }] : [];
    });
  const removable = sized(withoutNewest(stored.filter((path) => STATE.test(path)))).sort(
    (a, b) => a.storedAt - b.storedAt,
  );
  const states = removable.length === 0 || !isWhole(project) ? [] : removable;
  const due = states.filter(({ bytes }) => {
    const isDue = over > 0;
    over -= bytes;
    return isDue;
  });
  if (over > 0) due.push(...sized(stored.filter((path) => INDEX.test(path))));
  return due.map(({ path, bytes }) => ({ path, bytes }));
}

/** The newest may be of a version that is no longer read. */
const KEPT = 2;

/** Names rise with the events covered. */
function withoutNewest(states: readonly string[]): string[] {
  const folders = new Map<string, string[]>();
  for (const path of states.toSorted())
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return [...folders.values()].flatMap((paths) => paths.slice(0, -KEPT));
}

function isWhole({ reader }: Project): boolean {
  for (const { entry } of reader.entries()) if (entry === undefined) return false;
  return true;
}

const STATE = /\/\d{16}\.ckpt$/;
const INDEX = /\.b10x$/;

/** @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED */
export function makeRoom(project: Project, kept: number): RoomMade {
  const due = statesToRemove(project, kept);
  try {
    for (const { path } of due) removeIfThere(project.ports.fs, path);
  } catch (error) {
    throw asWriteError(error, project.layout.checkpoints);
  }
  return roomOf(due);
}

export const roomOf = (states: readonly { bytes: number }[]): RoomMade => ({
  files: states.length,
  bytes: states.reduce((sum, { bytes }) => sum + bytes, 0),
});

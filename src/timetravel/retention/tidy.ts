import type { Codec } from '../../platform/codecs/codecs.ts';
import type { Ben10Config } from '../../platform/config/keys.ts';
import type { Removed, RemovedWhy, Retention } from '../../project/doors.ts';
import type { Project } from '../../project/open.ts';
import { makeRoom, type RoomMade, roomOf, statesToRemove } from '../make-room.ts';
import { type Archived, archivable, archiveStored } from '../snapshots/archive.ts';

type Settings = Ben10Config['context'];

export interface Tidied {
  removed: Removed[];
  /** Of the files that went. */
  bytes: number;
  /** Null when nobody could have the lock, or nothing was tried. */
  archived: Archived | null;
  /** Stored states that had no room. */
  states: RoomMade;
}

export interface TidyPlan {
  removed: Removed[];
  /** Of the files that would go. */
  bytes: number;
  /** What would be packed; how small it gets is not known before. */
  archived: { files: number; bytes: number };
  /** Stored states that would go at most, should it not be packed to fit. */
  statesIfLarge: RoomMade;
  /** Those that would go as well, should all be too large even when they are packed. */
  removedIfLarge: string[];
}

/** What `tidyStored` would do. @param kept bytes of all that ben10 keeps */
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
 * Retention and archive of what is stored, off every hook's path: first what is past its age and count goes, then the rest is
 * packed, which loses nothing. Where that is too large even so, what can be made again goes before anything else does for its size.
 * @param kept tells the bytes of all that ben10 keeps by then
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
  // What may still be packed is not too large yet.
  const states = archived === null ? roomOf([]) : makeRoom(project, kept());
  const all = [...old, ...removeFor(['size'])];
  return {
    removed: all.flatMap(({ removed }) => removed),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    archived,
    states,
  };
}

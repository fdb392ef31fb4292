import type { Codec } from '../../platform/codecs/codecs.ts';
import type { SnapshotSettings } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { makeRoom, type RoomMade, roomOf, statesToRemove } from '../make-room.ts';
import { type Archived, archivable, archiveStored } from './archive.ts';
import { bytesOf, snapshotIndex } from './indexed.ts';
import { type Pruned, pruneSnapshots, snapshotsToPrune } from './prune.ts';

export interface Tidied extends Pruned {
  /** Null when nobody could have the lock, or nothing was tried. */
  archived: Archived | null;
  /** Stored states that had no room. */
  states: RoomMade;
}

export interface TidyPlan {
  removed: Pruned['removed'];
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
export function planTidy(project: Project, settings: SnapshotSettings, kept: number): TidyPlan {
  const all = Object.values(snapshotIndex(project).snapshots);
  const sized = all.map((one) => ({ ...one, bytes: bytesOf(project, one) }));
  const now = project.ports.clock.now();
  const due = snapshotsToPrune(sized, settings, now, ['age', 'count']);
  const withSize = snapshotsToPrune(sized, settings, now, ['age', 'count', 'size']);
  const bytes = due.reduce((sum, { record }) => sum + record.bytes, 0);
  return {
    removed: due.map(({ record, why }) => ({ id: record.id, why })),
    bytes,
    archived: archivable(project, new Set(due.map(({ record }) => record.file))),
    statesIfLarge: roomOf(statesToRemove(project, kept - bytes)),
    removedIfLarge: withSize.filter(({ why }) => why === 'size').map(({ record }) => record.id),
  };
}

/**
 * Retention and archive of what is stored, off every hook's path: first those past their age and count go, then the rest is
 * packed, which loses nothing. Where that is too large even so, what can be made again goes before anything else does for its size.
 * @param kept tells the bytes of all that ben10 keeps by then
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function tidyStored(
  project: Project,
  zstd: Codec,
  settings: SnapshotSettings,
  kept: () => number,
): Tidied {
  const old = pruneSnapshots(project, settings, ['age', 'count']);
  const archived = archiveStored(project, zstd, settings.compressionLevel) ?? null;
  // What may still be packed is not too large yet.
  const states = archived === null ? roomOf([]) : makeRoom(project, kept());
  const large = pruneSnapshots(project, settings, ['size']);
  return {
    removed: [...old.removed, ...large.removed],
    bytes: old.bytes + large.bytes,
    archived,
    states,
  };
}

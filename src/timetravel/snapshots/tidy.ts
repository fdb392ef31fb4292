import type { Codec } from '../../platform/codecs/codecs.ts';
import type { SnapshotSettings } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { type Archived, archivable, archiveStored } from './archive.ts';
import { bytesOf, snapshotIndex } from './indexed.ts';
import { type Pruned, pruneSnapshots, snapshotsToPrune } from './prune.ts';

export interface Tidied extends Pruned {
  /** Null when nobody could have the lock, or nothing was tried. */
  archived: Archived | null;
}

export interface TidyPlan {
  removed: Pruned['removed'];
  /** Of the files that would go. */
  bytes: number;
  /** What would be packed; how small it gets is not known before. */
  archived: { files: number; bytes: number };
  /** Those that would go as well, should all be too large even when they are packed. */
  removedIfLarge: string[];
}

/** What `tidyStored` would do. */
export function planTidy(project: Project, settings: SnapshotSettings): TidyPlan {
  const all = Object.values(snapshotIndex(project).snapshots);
  const sized = all.map((one) => ({ ...one, bytes: bytesOf(project, one) }));
  const now = project.ports.clock.now();
  const due = snapshotsToPrune(sized, settings, now, ['age', 'count']);
  const withSize = snapshotsToPrune(sized, settings, now, ['age', 'count', 'size']);
  return {
    removed: due.map(({ record, why }) => ({ id: record.id, why })),
    bytes: due.reduce((sum, { record }) => sum + record.bytes, 0),
    archived: archivable(project, new Set(due.map(({ record }) => record.file))),
    removedIfLarge: withSize.filter(({ why }) => why === 'size').map(({ record }) => record.id),
  };
}

/**
 * Retention and archive of what is stored, off every hook's path: first those past their age and count go, then the rest is
 * packed, and only what is too large even so goes for its size.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function tidyStored(project: Project, zstd: Codec, settings: SnapshotSettings): Tidied {
  const old = pruneSnapshots(project, settings, ['age', 'count']);
  const archived = archiveStored(project, zstd, settings.compressionLevel) ?? null;
  const large = pruneSnapshots(project, settings, ['size']);
  return {
    removed: [...old.removed, ...large.removed],
    bytes: old.bytes + large.bytes,
    archived,
  };
}

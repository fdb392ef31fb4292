import type { Codec } from '../../platform/codecs/codecs.ts';
import type { SnapshotSettings } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { type Archived, archiveStored } from './archive.ts';
import { type Pruned, pruneSnapshots } from './prune.ts';

export interface Tidied extends Pruned {
  /** Null when nobody could have the lock, or nothing was tried. */
  archived: Archived | null;
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

import type { StoredFiles } from '../journal/format/ports.ts';

/** Relative to `.ben10`: where saves and compaction snapshots are. */
export const SAVES_DIR = 'checkpoints/saves';
export const SNAPSHOTS_DIR = 'compaction-snapshots';

export const saveFiles: StoredFiles = { place: SAVES_DIR, kind: 'pinned' };
export const snapshotFiles: StoredFiles = {
  place: SNAPSHOTS_DIR,
  kind: 'pinned',
  name: 'snapshots',
};
export const currentFiles: StoredFiles = { place: 'current.ctx', kind: 'people' };

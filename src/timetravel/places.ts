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
export type StoredDir = typeof SAVES_DIR | typeof SNAPSHOTS_DIR;

/** The seq that the state is up to, and chance. */
export const STORED_NAME = /^(\d{16})-[0-9a-f]{12}\.ctx$/;

/** Whether a path, relative to `.ben10`, is one that we would give: events can claim any. */
export const isStoredFile = (folder: StoredDir, file: string): boolean =>
  file.startsWith(`${folder}/`) && STORED_NAME.test(file.slice(folder.length + 1));

/** A save or a snapshot, as its event says it. */
export interface StoredRef {
  folder: StoredDir;
  /** Relative to `.ben10`; what is no name of ours counts as missing. */
  file: string;
  session: string | null;
  /** The state is everything up to this seq. */
  upto: number;
  /** SHA-256 of the MessagePack, hex, where the event says it. */
  contentHash?: string;
  /** Of a snapshot: its id. */
  snapshot?: string;
  /** What it is called in messages: `snapshot 5f3a…`. */
  name: string;
  /** Of the error when neither the file nor the journal has the state. */
  code: 'SNAPSHOT_CORRUPTED' | 'CONTEXT_CORRUPTED';
}

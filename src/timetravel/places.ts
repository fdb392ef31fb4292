import type { StoredFiles } from '../journal/format/ports.ts';

/** Relative to `.ben10`. */
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

/** The newest event in the state, and a random part. */
export const STORED_NAME = /^(\d{16})-[0-9a-f]{12}\.ctx$/;

/** Whether a path is one of ours: events may claim any. */
export const isStoredFile = (folder: StoredDir, file: string): boolean =>
  file.startsWith(`${folder}/`) && STORED_NAME.test(file.slice(folder.length + 1));

export interface StoredRef {
  folder: StoredDir;
  /** Relative to `.ben10`; an invalid name counts as missing. */
  file: string;
  session: string | null;
  /** The newest event in the state. */
  upto: number;
  /** SHA-256 of the MessagePack, hex, if the event has it. */
  contentHash?: string;
  snapshot?: string;
  /** For messages: `snapshot 5f3a…`. */
  name: string;
  /** The error when neither the file nor the journal has the state. */
  code: 'SNAPSHOT_CORRUPTED' | 'CONTEXT_CORRUPTED';
}

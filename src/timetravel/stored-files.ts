import { dirname } from 'node:path';
import { syncFolders } from '../journal/append/sync-folders.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { ensureDurableDir, removeIfThere, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { encodeState } from './current.ts';
import { SAVES_DIR, type StoredDir } from './places.ts';
import type { Replayed } from './replay.ts';

/** The folders on the way there, none of which may be a link. */
export const foldersOf = ({ layout, root }: Project, folder: StoredDir): string[] =>
  folder === SAVES_DIR ? [layout.checkpoints, `${root}/${folder}`] : [layout.snapshots];

export interface StoredFile {
  /** Relative to `.ben10`. */
  file: string;
  /** Of the file. */
  bytes: number;
  /** The MessagePack in it. */
  plain: Uint8Array;
}

const SALT_BYTES = 16;

/**
 * A whole state as it is stored. The salt goes with the file: its sum, which an event keeps, then confirms no guess at what was in
 * the state.
 * @throws as `encodeState`
 */
export function encodeStored(
  project: Project,
  { state, ...of }: Replayed,
): ReturnType<typeof encodeState> {
  const salt = randomHex(project.ports.random, SALT_BYTES);
  return encodeState(project, [{ ...of, salt }, state]);
}

/**
 * Makes a file ready that holds a whole state. Its name is made here: names that people give are never paths.
 * @returns what stores it: it is durable when that returns, which throws as `writeStoredAs`
 * @throws as `encodeState`
 */
export function prepareStored(
  project: Project,
  folder: StoredDir,
  replayed: Replayed,
): () => StoredFile {
  const { bytes, plain } = encodeStored(project, replayed);
  const stamp = String(replayed.point.seq).padStart(16, '0');
  const file = `${folder}/${stamp}-${randomHex(project.ports.random, 6)}.ctx`;
  return () => {
    writeStoredAs(project, folder, file, bytes);
    return { file, bytes: bytes.length, plain };
  };
}

/**
 * Stores a state under a name that was made before, durably.
 * @param bytes of the container
 * @throws Ben10Error JOURNAL_UNSAFE, FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function writeStoredAs(
  project: Project,
  folder: StoredDir,
  file: string,
  bytes: Uint8Array,
): void {
  const { ports, root } = project;
  try {
    for (const dir of foldersOf(project, folder)) refuseUnsafe(ports.fs, dir);
    ensureDurableDir(ports.fs, `${root}/${folder}`, root);
    const unique = randomHex(ports.random, 6);
    writeFileAtomic(ports.fs, `${root}/${file}`, bytes, unique, { durable: true });
  } catch (error) {
    throw asWriteError(error, `${root}/${folder}`);
  }
}

/** For good: a power cut must not bring back what may hold something of an erased event. */
export function removeStored({ ports, root }: Project, file: string): void {
  const path = `${root}/${file}`;
  removeIfThere(ports.fs, path);
  syncFolders(ports, [dirname(path)]);
}

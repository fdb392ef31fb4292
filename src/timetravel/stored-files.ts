import { dirname } from 'node:path';
import { LockFile } from '../journal/append/locking.ts';
import { syncFolders } from '../journal/append/sync-folders.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { ensureDurableDir, removeIfThere, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { append } from './append.ts';
import { erasureEpoch } from './beside-erasure.ts';
import { encodeState } from './current.ts';
import { isStoredFile, SAVES_DIR, type StoredDir, type StoredRef } from './places.ts';
import type { Replayed } from './replay.ts';

/** The folders of its path, none of which may be a link. */
export const foldersOf = ({ layout, root }: Project, folder: StoredDir): string[] =>
  folder === SAVES_DIR ? [layout.checkpoints, `${root}/${folder}`] : [layout.snapshots];

interface StoredFile {
  file: string;
  bytes: number;
  plain: Uint8Array;
}

const SALT_BYTES = 16;

/** A whole state with a salt, so that its hash in an event does not confirm guesses at the content. @throws as `encodeState` */
export function encodeStored(
  project: Project,
  { state, ...of }: Replayed,
): ReturnType<typeof encodeState> {
  const salt = randomHex(project.ports.random, SALT_BYTES);
  return encodeState(project, [{ ...of, salt }, state]);
}

/**
 * Prepares a file with a whole state; its name is generated.
 * @returns the function that stores it durably; it throws as `writeStoredAs`
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

/** Writes a file durably. @throws Ben10Error JOURNAL_UNSAFE, FS_WRITE_ERROR, FS_PERMISSION_DENIED */
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

/** Durably: a power cut must not bring back erased content. */
export function removeStored({ ports, root }: Project, file: string): void {
  const path = `${root}/${file}`;
  removeIfThere(ports.fs, path);
  syncFolders(ports, [dirname(path)]);
}

/** Short, because a restore waits for it; archiving or erasing may hold the lock. */
const LOCK_BUDGET_MS = 200;

/**
 * Stores a rebuilt state under its old name. Its hash differs because of a new salt, so an event announces it first.
 * @param epoch from before it was rebuilt: a later erasure may concern it
 * @param replaces an outdated file may be replaced
 * @returns the end of a sentence for the user
 */
export function putBack(
  project: Project,
  ref: StoredRef,
  replayed: Replayed<ContextState>,
  { epoch, replaces }: { epoch: number; replaces: boolean },
): string {
  const { ports, layout, root } = project;
  const { folder, file, contentHash, snapshot } = ref;
  if (!isStoredFile(folder, file)) return 'it was not stored: its event has no valid file name';
  try {
    const { bytes, plain } = encodeStored(project, replayed);
    const hash = sha256(plain).toString('hex');
    const isOther = snapshot !== undefined && hash !== contentHash;
    const lock = new LockFile(ports, layout.compactLock);
    try {
      const storeAgain = (): boolean => {
        // Somebody may have stored it already.
        if (erasureEpoch(project) !== epoch) return false;
        if (!replaces && ports.fs.statIfThere(`${root}/${file}`)) return false;
        // Event first: a file with an unannounced hash would count as damaged.
        if (isOther)
          append(project, 'snapshot.annotated', ref.session ?? '', { snapshot, contentHash: hash });
        writeStoredAs(project, folder, file, bytes);
        return true;
      };
      const held = lock.hold(LOCK_BUDGET_MS, storeAgain);
      return held?.value === true ? 'it was stored again' : 'it was not stored this time';
    } finally {
      lock.close();
    }
  } catch (error) {
    // A read-only project can be read.
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return 'it could not be stored';
  }
}

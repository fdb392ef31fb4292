import { LockFile } from '../journal/append/locking.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { append } from './append.ts';
import { erasureEpoch } from './beside-erasure.ts';
import { isStoredFile, type StoredRef } from './places.ts';
import type { Replayed } from './replay.ts';
import { encodeStored, writeStoredAs } from './stored-files.ts';

/** Beside whoever packs or erases; a restore is waited for. */
const LOCK_BUDGET_MS = 200;

/**
 * Stores a state that was made again from the journal under the name that it had, so that the next one reads it. Its sum is
 * another one then, for a stored state has a salt: an event says so first.
 * @param epoch of the time before it was made: what was erased since may be in it
 * @param replaces what is there, which is of an older version
 * @returns a sentence's end for the user
 */
export function putBack(
  project: Project,
  ref: StoredRef,
  replayed: Replayed<ContextState>,
  { epoch, replaces }: { epoch: number; replaces: boolean },
): string {
  const { ports, layout, root } = project;
  const { folder, file, contentHash, snapshot } = ref;
  if (!isStoredFile(folder, file)) return 'it is not stored: its event names no file of ours';
  try {
    const { bytes, plain } = encodeStored(project, replayed);
    const hash = sha256(plain).toString('hex');
    const isOther = snapshot !== undefined && hash !== contentHash;
    const lock = new LockFile(ports, layout.compactLock);
    try {
      const storeAgain = (): boolean => {
        // Whoever was faster stored the same, and another one's file is not ours to replace.
        if (erasureEpoch(project) !== epoch) return false;
        if (!replaces && ports.fs.statIfThere(`${root}/${file}`)) return false;
        // First: a file that no event speaks of would be taken for a damaged one.
        if (isOther)
          append(project, 'snapshot.annotated', ref.session ?? '', { snapshot, contentHash: hash });
        writeStoredAs(project, folder, file, bytes);
        return true;
      };
      const held = lock.hold(LOCK_BUDGET_MS, storeAgain);
      if (held?.value !== true) return 'it is not stored again this time';
      return 'it is stored again';
    } finally {
      lock.close();
    }
  } catch (error) {
    // Reading works where nothing can be written.
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return 'it could not be stored again';
  }
}

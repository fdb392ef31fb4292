import { LockFile } from '../journal/locking.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { erasureEpoch } from './beside-erasure.ts';
import { encodeState } from './current.ts';
import type { Replayed } from './replay.ts';
import { isStoredFile, writeStoredAs } from './stored-files.ts';
import type { StoredRef } from './stored-state.ts';

/** Beside whoever packs or erases; a restore is waited for. */
const LOCK_BUDGET_MS = 200;

/**
 * Stores a state that was made again from the journal under the name that it had, so that the next one reads it. It must be, to the
 * byte, what its event says was stored; a save's event does not say that, and the journal is believed.
 * @param epoch of the time before it was made: what was erased since may be in it
 * @returns a sentence's end for the user
 */
export function putBack(
  project: Project,
  { folder, file, contentHash }: StoredRef,
  { state, ...of }: Replayed<ContextState>,
  epoch: number,
): string {
  const { ports, layout, root } = project;
  if (!isStoredFile(folder, file)) return 'it is not stored: its event names no file of ours';
  try {
    const { bytes, plain } = encodeState(project, [of, state]);
    if (contentHash !== undefined && sha256(plain).toString('hex') !== contentHash)
      return 'it is not stored again, for it is not to the byte what was stored: what it is made of or the way it is made changed since';
    const lock = new LockFile(ports, layout.compactLock);
    try {
      const storeAgain = (): boolean => {
        // Whoever was faster stored the same, and another one's file is not ours to replace.
        if (erasureEpoch(project) !== epoch || ports.fs.statIfThere(`${root}/${file}`))
          return false;
        writeStoredAs(project, folder, file, bytes);
        return true;
      };
      const held = lock.hold(LOCK_BUDGET_MS, storeAgain);
      return held?.value === true ? 'it is stored again' : 'it is not stored again this time';
    } finally {
      lock.close();
    }
  } catch (error) {
    // Reading works where nothing can be written.
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return 'it could not be stored again';
  }
}

import { LockFile } from '../journal/append/locking.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

/** Erasures are rare; so many in a row mean a loop. */
export const ATTEMPTS_MAX = 4;
/** Appends hold the lock for milliseconds; a longer wait means an erasure. */
const LOCK_BUDGET_MS = 500;

/**
 * Writes a state that contains nothing erased since it was folded. An erasure holds the lock of appends from its search until it has
 * removed old states; so under the lock either the epoch is still the same, or nothing is written.
 * @param prepare folds and encodes, and returns the function that writes
 * @throws Ben10Error CONTEXT_LOCKED when erasures or others hold the lock; FS_WRITE_ERROR, FS_PERMISSION_DENIED and JOURNAL_UNSAFE
 * when there can be no lock file; what `prepare` and its result throw
 */
export function besideErasure<T>(project: Project, prepare: () => () => T): T {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const epoch = erasureEpoch(project);
    let write: () => T;
    try {
      write = prepare();
    } catch (error) {
      // An erasure replaced what was being read.
      if (erasureEpoch(project) === epoch) throw error;
      continue;
    }
    const written = locked(project, () =>
      erasureEpoch(project) === epoch ? { value: write() } : undefined,
    );
    if (written !== undefined) return written.value;
  }
  throw lockedOut(project, 'events keep being erased');
}

function locked<T>(project: Project, work: () => T): T {
  const lock = openLock(project);
  try {
    const held = lock.hold(LOCK_BUDGET_MS, work);
    if (held !== undefined) return held.value;
    // Then nobody can erase either.
    if (lock.isImpossible) return work();
  } finally {
    lock.close();
  }
  throw lockedOut(project, 'another process holds the journal');
}

function openLock({ ports, layout }: Project): LockFile {
  try {
    return new LockFile(ports, layout.lock);
  } catch (error) {
    throw asWriteError(error, layout.lock);
  }
}

const lockedOut = ({ layout }: Project, message: string): Ben10Error =>
  new Ben10Error('CONTEXT_LOCKED', message, {
    place: { file: layout.manifest },
    next: 'Wait until it is done, then try again.',
  });

export const erasureEpoch = ({ ports, layout }: Project): number =>
  readManifest(ports, layout)?.erasureEpoch ?? 0;

import { LockFile } from '../journal/append/locking.ts';
import { asWriteError } from '../journal/append/write-errors.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

/** Erasures are rare: who meets so many in a row has a loop of them beside it. */
export const ATTEMPTS_MAX = 4;
/** Appends hold the lock for milliseconds; who waits for longer meets an erasure. */
const LOCK_BUDGET_MS = 500;

/**
 * Writes a state to disk that nothing was erased from since it was folded. An erasure holds the lock of appends from its search
 * until it has removed what was stored before: what is written under that lock, its temporary file too, is either of the epoch
 * that still counts, or not written. Who dies over it leaves nothing that the next erasure does not find.
 * @param prepare folds and encodes, and returns what writes it
 * @throws Ben10Error CONTEXT_LOCKED when somebody erases all the time, or holds the lock; FS_WRITE_ERROR, FS_PERMISSION_DENIED
 * and JOURNAL_UNSAFE when there can be no lock file; what `prepare` and what it returns throw
 */
export function besideErasure<T>(project: Project, prepare: () => () => T): T {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const epoch = erasureEpoch(project);
    let write: () => T;
    try {
      write = prepare();
    } catch (error) {
      // Who erased meanwhile replaced what was being read.
      if (erasureEpoch(project) === epoch) throw error;
      continue;
    }
    const written = locked(project, () =>
      erasureEpoch(project) === epoch ? { value: write() } : undefined,
    );
    if (written !== undefined) return written.value;
  }
  throw lockedOut(project, 'events are being erased again and again');
}

function locked<T>(project: Project, work: () => T): T {
  const lock = openLock(project);
  try {
    const held = lock.hold(LOCK_BUDGET_MS, work);
    if (held !== undefined) return held.value;
    // Nobody can erase there either.
    if (lock.isImpossible) return work();
  } finally {
    lock.close();
  }
  throw lockedOut(project, 'others are working on this journal');
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
    next: 'Wait until that is done, then try again.',
  });

export const erasureEpoch = ({ ports, layout }: Project): number =>
  readManifest(ports, layout)?.erasureEpoch ?? 0;

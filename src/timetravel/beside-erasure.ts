import { readManifest } from '../journal/manifest.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

/** Erasures are rare: who meets so many in a row has a loop of them beside it. */
export const ATTEMPTS_MAX = 4;

/**
 * Writes a state to disk, again when events were erased meanwhile: what was folded before may hold something of them,
 * and whoever erased may have looked for stored states before this one was there.
 * @param write folds and writes
 * @param remove takes away what it wrote
 * @throws Ben10Error CONTEXT_LOCKED when erasures do not end, and what `write` and `remove` throw
 */
export function besideErasure<T>(
  project: Project,
  write: () => T,
  remove: (written: T) => void,
): T {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const epoch = erasureEpoch(project);
    let written: T;
    try {
      written = write();
    } catch (error) {
      // Who erased meanwhile took away the file that was being written, too.
      if (erasureEpoch(project) === epoch) throw error;
      continue;
    }
    if (erasureEpoch(project) === epoch) return written;
    remove(written);
  }
  throw new Ben10Error('CONTEXT_LOCKED', 'events are being erased again and again', {
    place: { file: project.layout.manifest },
    next: 'Wait until that is done, then try again.',
  });
}

export const erasureEpoch = ({ ports, layout }: Project): number =>
  readManifest(ports, layout)?.erasureEpoch ?? 0;

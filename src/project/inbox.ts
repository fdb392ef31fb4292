import { listInbox } from '../journal/append/inbox.ts';
import { resumeErasure } from '../journal/erase/resume.ts';
import type { Project } from './open.ts';

/**
 * Takes what waits in the inbox into the journal, for those who read next: what has no seq belongs to no state. Waits
 * for the lock as long as an append of this project does. Where the lock is busy, or the disk is full or can only be
 * read, everything stays as it is and reading goes on without: this never fails.
 * @returns how many events still wait
 */
export function takeInbox(project: Project): number {
  finishErasure(project);
  try {
    if (listInbox(project.ports, project.layout).length === 0) return 0;
    project.writer.drain();
  } catch {
    // The next writer takes them in; what is wrong with the journal itself is said by those who read it.
  }
  return countWaiting(project);
}

/** An erasure that was cut off is finished by whoever comes by next. What hinders it now is said by ben10 erase. */
function finishErasure({ ports, root, decoders }: Project): void {
  try {
    resumeErasure(ports, root, decoders);
  } catch {
    // Still to be finished.
  }
}

function countWaiting({ ports, layout, reader }: Project): number {
  try {
    // The listing first: mostly nothing is left, and then no file has to be opened.
    return listInbox(ports, layout).length === 0 ? 0 : reader.inbox().length;
  } catch {
    return 0; // not to be looked into: `ben10 doctor` says so
  }
}

import { listInbox } from '../journal/append/inbox.ts';
import { resumeErasure } from '../journal/erase/resume.ts';
import type { Project } from './open.ts';

/**
 * Moves events from the inbox into the journal, and finishes an interrupted erasure. Never fails: if the lock is busy, or the
 * disk is full or read-only, the events stay in the inbox.
 * @returns how many events still wait
 */
export function takeInbox(project: Project): number {
  finishErasure(project);
  try {
    if (listInbox(project.ports, project.layout).length === 0) return 0;
    project.writer.drain();
  } catch {
    // The next writer takes them in; readers report problems of the journal.
  }
  return countWaiting(project);
}

function finishErasure({ ports, root, decoders }: Project): void {
  try {
    resumeErasure(ports, root, decoders);
  } catch {
    // `ben10 erase` reports the problem.
  }
}

function countWaiting({ ports, layout, reader }: Project): number {
  try {
    // Mostly nothing is left, and then no file has to be opened.
    return listInbox(ports, layout).length === 0 ? 0 : reader.inbox().length;
  } catch {
    return 0; // unreadable: `ben10 doctor` reports it
  }
}

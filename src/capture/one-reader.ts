import { LockFile } from '../journal/append/locking.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { errno } from '../platform/errors.ts';

interface Where {
  ports: JournalPorts;
  readonly reader: JournalReader;
}

const NEVER = () => false;

/**
 * Reads transcripts while no other process of this journal does: two that read the same part at once would each append what is in
 * it, beyond the ids that an append compares, and the slower one would take the cursor back. Whoever comes second goes on
 * from where the first one came.
 * @param deadline until when to wait for another one, milliseconds since the epoch
 * @param read `isAwaited` tells one that gives way whether somebody waits for it to stop
 * @param givesWay for one that nobody waits for: it lets all others go first
 * @returns undefined when another one was at it all the time
 * @throws what `read` throws
 */
export function asOneReader<T>(
  project: Where,
  deadline: number,
  read: (isAwaited: () => boolean) => T,
  givesWay = false,
): T | undefined {
  const { ports } = project;
  const { layout } = project.reader;
  const lock = lockOf(ports, layout.transcriptsLock);
  if (lock === undefined) return read(NEVER);
  let queue: LockFile | undefined;
  const openQueue = () => {
    queue ??= lockOf(ports, layout.transcriptsQueueLock);
    return queue;
  };
  const isAwaited = () => openQueue() !== undefined && queue!.hold(0, NEVER) === undefined;
  const readAlone = () => {
    project.reader.lookAgain();
    return read(isAwaited);
  };
  const wait = () => lock.hold(deadline - ports.clock.now(), readAlone);
  const waitInQueue = () =>
    openQueue() === undefined ? wait() : queue!.hold(deadline - ports.clock.now(), wait)?.value;
  try {
    const held = lock.hold(0, readAlone) ?? (givesWay ? wait() : waitInQueue());
    if (held !== undefined) return held.value;
    return lock.isImpossible ? read(NEVER) : undefined;
  } finally {
    lock.close();
    queue?.close();
  }
}

/** None where it cannot be opened, as on a disk that is only read: nothing is appended there, either. */
function lockOf(ports: JournalPorts, path: string): LockFile | undefined {
  if (ports.lock === undefined) return undefined;
  try {
    return new LockFile(ports, path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

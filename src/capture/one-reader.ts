import { LockFile } from '../journal/append/locking.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { unlessRefused } from '../platform/errors.ts';

interface Where {
  ports: JournalPorts;
  readonly reader: JournalReader;
}

const NEVER = () => false;

/**
 * Reads transcripts while no other process of this journal does: two readers would append the same facts twice, and
 * the slower one would move the cursor back. The second one continues where the first stopped.
 * @param deadline how long to wait for another reader, milliseconds since the epoch
 * @param read `isAwaited` tells a reader that gives way whether another one waits
 * @param givesWay lets all others go first
 * @returns undefined if another process was reading all the time
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

/** None if it cannot be opened, as on a read-only disk: nothing is appended there, either. */
function lockOf(ports: JournalPorts, path: string): LockFile | undefined {
  if (ports.lock === undefined) return undefined;
  return unlessRefused(() => new LockFile(ports, path), undefined);
}

import type { Layout } from '../journal/layout.ts';
import { LockFile } from '../journal/locking.ts';
import type { JournalPorts } from '../journal/ports.ts';
import { errno } from '../platform/errors.ts';

interface Where {
  ports: JournalPorts;
  layout: Layout;
}

/**
 * Reads transcripts while no other process of this journal does: two that read the same part at once would each append what is in
 * it, beyond the ids that an append compares, and the slower one would take the cursor back. Whoever comes second goes on
 * from where the first one came.
 * @param deadline until when to wait for another one, milliseconds since the epoch
 * @returns undefined when another one was at it all the time
 * @throws what `read` throws
 */
export function asOneReader<T>(
  { ports, layout }: Where,
  deadline: number,
  read: () => T,
): T | undefined {
  const lock = lockOf(ports, layout.transcriptsLock);
  if (lock === undefined) return read();
  try {
    const held = lock.hold(deadline - ports.clock.now(), read);
    if (held !== undefined) return held.value;
    // Given up before its time: nobody can lock here.
    return ports.clock.now() < deadline ? read() : undefined;
  } finally {
    lock.close();
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

import { errno } from '../platform/errors.ts';
import { ensureDir, removeIfThere } from '../platform/fs.ts';
import { listInbox, type NewEvent, quarantineName, readSpool } from './inbox.ts';
import type { Layout } from './layout.ts';
import type { JournalPorts } from './ports.ts';

/**
 * Hands waiting events to `take`, oldest first, and removes their files after `take` has made them durable: once
 * for all, since a sync costs more than everything else. A crash in between leaves files whose events are there
 * already; their ids tell. Call with the lock held.
 * @param budget one file is taken in any case; what remains waits for the next call
 * @returns how many files are done with, and which are left
 */
export function drainInbox(
  ports: JournalPorts,
  layout: Layout,
  budget: { events: number; milliseconds: number },
  take: (events: NewEvent[]) => void,
): { done: number; left: Set<string> } {
  const names = listInbox(ports, layout);
  const left = new Set(names);
  if (names.length === 0) return { done: 0, left };
  const start = ports.clock.now();
  const waiting: NewEvent[] = [];
  const read: string[] = [];
  for (const name of names) {
    const late = ports.clock.now() - start > budget.milliseconds;
    if (left.size < names.length && (late || waiting.length >= budget.events)) break;
    const events = tryRead(ports, layout, name);
    if (events === 'unreadable') continue;
    left.delete(name);
    if (events === 'damaged') continue;
    for (const event of events) waiting.push(event);
    read.push(name);
  }
  if (waiting.length > 0) take(waiting);
  for (const name of read) removeIfThere(ports.fs, `${layout.inbox}/${name}`);
  return { done: names.length - left.size, left };
}

/** A damaged file goes to quarantine; one that cannot be read now stays where it is, and holds nobody up. */
function tryRead(
  ports: JournalPorts,
  layout: Layout,
  name: string,
): NewEvent[] | 'damaged' | 'unreadable' {
  const path = `${layout.inbox}/${name}`;
  try {
    const events = readSpool(ports, path);
    if (events !== undefined) return events;
    ensureDir(ports.fs, layout.quarantine);
    ports.fs.rename(path, `${layout.quarantine}/${quarantineName(path)}`);
    return 'damaged';
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return 'unreadable';
  }
}

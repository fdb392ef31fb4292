import { ensureDir, removeIfThere } from '../platform/fs.ts';
import { listInbox, type NewEvent, quarantineName, readSpool } from './inbox.ts';
import type { Layout } from './layout.ts';
import type { JournalPorts } from './ports.ts';

/**
 * Hands the waiting events to `take`, file by file, and removes each file after `take` has made them durable. A
 * crash in between leaves a file whose events are there already: their ids tell. Call with the lock held.
 */
export function drainInbox(
  ports: JournalPorts,
  layout: Layout,
  budget: { events: number; milliseconds: number },
  take: (events: NewEvent[]) => void,
): void {
  const names = listInbox(ports, layout);
  if (names.length === 0) return;
  const start = ports.clock.now();
  let taken = 0;
  for (const name of names) {
    if (taken >= budget.events || ports.clock.now() - start > budget.milliseconds) return;
    const path = `${layout.inbox}/${name}`;
    const events = readSpool(ports, path);
    if (events === undefined) {
      ensureDir(ports.fs, layout.quarantine);
      ports.fs.rename(path, `${layout.quarantine}/${quarantineName(path)}`);
      continue;
    }
    take(events);
    taken += events.length;
    removeIfThere(ports.fs, path);
  }
}

import { readHint } from '../format/hint.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { ActiveSegment } from './active.ts';
import type { NewEvent } from './inbox.ts';

/** `interval` events are synced by the first writer that finds the last sync this old. */
export const SYNC_INTERVAL_MS = 1000;

/** True when what was promised for these events asks for a sync now. */
export function isSyncDue(
  ports: JournalPorts,
  active: ActiveSegment,
  events: readonly NewEvent[],
): boolean {
  if (events.some((event) => event.durability === 'disk')) return true;
  if (!events.some((event) => event.durability === 'interval')) return false;
  const now = ports.clock.now();
  // If the clock was set back, the last sync seems to lie ahead: treat it as old.
  const isOld = () => Math.abs(now - active.hint.syncedAt) >= SYNC_INTERVAL_MS;
  if (!isOld()) return false;
  // Another process may have synced since.
  active.hint = readHint(ports, active.hintPath);
  return isOld();
}

/**
 * Syncs the open segment and leaves a hint for the next process. Without the lock, others' appends may be synced along; the
 * hint does not claim them. @throws Node's error when the sync fails
 */
export function sync(ports: JournalPorts, active: ActiveSegment): void {
  const { tail } = active;
  const syncedUpto = tail.seq;
  active.datasync();
  tail.syncedUpto = syncedUpto;
  active.synced({ syncedUpto, syncedAt: ports.clock.now() });
}

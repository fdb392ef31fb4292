import { errno } from '../../platform/errors.ts';
import { removeIfThere } from '../../platform/files.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { setAside } from '../repair/quarantine.ts';
import {
  brokenDrain,
  clearDrainMark,
  type DrainMark,
  drainedSince,
  markDrain,
} from './drain-marker.ts';
import { listInbox, type NewEvent, readSpool } from './inbox.ts';

/** What may be kept of an event that was seen before an erasure; undefined if it is an erased one. See `admission.ts`. */
export type Admit = (event: NewEvent) => NewEvent | undefined;

export const admitAll: Admit = (event) => event;

/**
 * Passes waiting events to `take`, oldest first, and removes their files once `take` has synced them. After a crash in
 * between, the next drain finds this one's mark and skips what was appended. Call with the lock held.
 * @param nextSeq of the first event to be written
 * @param take appends and syncs; called with none to sync what a broken drain appended
 * @param budget at least one file is taken; the rest waits for the next call
 * @param admit filters erased events; undefined while nobody can tell: then only damaged files are set aside
 * @returns how many files are done, which are left, and the names in quarantine of damaged ones
 */
export function drainInbox(
  ports: JournalPorts,
  layout: Layout,
  nextSeq: number,
  budget: { events: number; milliseconds: number },
  take: (events: NewEvent[]) => void,
  admit: Admit | undefined,
): { done: number; left: Set<string>; kept: string[] } {
  const names = listInbox(ports, layout);
  const left = new Set(names);
  const kept: string[] = [];
  if (names.length === 0) return { done: 0, left, kept };
  const broken = brokenDrain(ports, layout);
  const isThere = broken && drainedSince(ports, layout, broken.fromSeq);
  const start = ports.clock.now();
  const waiting: NewEvent[] = [];
  const read: string[] = [];
  let tried = 0;
  for (const name of names) {
    const late = ports.clock.now() - start > budget.milliseconds;
    if (left.size < names.length && (late || waiting.length >= budget.events)) break;
    tried += 1;
    const events = tryRead(ports, layout, name, kept);
    if (events === 'unreadable') continue;
    if (events !== 'damaged' && admit === undefined) continue;
    left.delete(name);
    if (events === 'damaged') continue;
    for (const event of events) {
      const admitted = isThere?.(event.id) === true ? undefined : admit!(event);
      if (admitted !== undefined) waiting.push(admitted);
    }
    read.push(name);
  }
  if (admit === undefined) return { done: names.length - left.size, left, kept };
  const lastFile = [broken?.lastFile ?? '', ...read].sort().at(-1)!;
  if (waiting.length > 0) {
    // What the broken one had appended may have been cut off since.
    const fromSeq = Math.min(broken?.fromSeq ?? nextSeq, nextSeq);
    const mark = { fromSeq, lastFile };
    takeMarked(ports, layout, mark, () => take(waiting));
  } else if (broken !== undefined) take([]);
  for (const name of read) removeIfThere(ports.fs, `${layout.inbox}/${name}`);
  // Keep a broken drain's mark until all files that it had taken were looked at.
  const next = names[tried];
  if (next === undefined || next > lastFile) clearDrainMark(ports, layout);
  return { done: names.length - left.size, left, kept };
}

function takeMarked(ports: JournalPorts, layout: Layout, mark: DrainMark, take: () => void): void {
  markDrain(ports, layout, mark);
  try {
    take();
  } catch (error) {
    // No crash: the write was taken back or not synced, and has to be done again.
    clearDrainMark(ports, layout);
    throw error;
  }
}

/** Sets a damaged file aside. One that cannot be read now, or by this version, stays and holds nobody up. */
function tryRead(
  ports: JournalPorts,
  layout: Layout,
  name: string,
  kept: string[],
): NewEvent[] | 'damaged' | 'unreadable' {
  try {
    const events = readSpool(ports, `${layout.inbox}/${name}`);
    if (events === 'later') return 'unreadable';
    if (events !== 'damaged') return events;
    kept.push(setAside(ports, layout, layout.inbox, name));
    return 'damaged';
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return 'unreadable';
  }
}

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

/** What of an event may be kept that was seen before an erasure; undefined where it tells an erased one again. See `admission.ts`. */
export type Admit = (event: NewEvent) => NewEvent | undefined;

export const admitAll: Admit = (event) => event;

/**
 * Hands waiting events to `take`, oldest first, and removes their files after `take` has made them durable: once
 * for all, since a sync costs more than everything else. A crash in between leaves files whose events are there
 * already; the next drain finds the mark of this one and passes them by. Call with the lock held.
 * @param nextSeq of the first event that is going to be written
 * @param take appends them and syncs; also called with none, where a broken drain had appended all of them and may not have
 * synced them
 * @param budget one file is taken in any case; what remains waits for the next call
 * @param admit who spooled may have read what was erased since; undefined where nobody can tell yet: then only damaged files are
 * taken away
 * @returns how many files are done with, which are left, and the names in quarantine of damaged ones
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
  // Of the files that a broken drain had taken some may not have been looked at yet: then its mark stays.
  const next = names[tried];
  if (next === undefined || next > lastFile) clearDrainMark(ports, layout);
  return { done: names.length - left.size, left, kept };
}

function takeMarked(ports: JournalPorts, layout: Layout, mark: DrainMark, take: () => void): void {
  markDrain(ports, layout, mark);
  try {
    take();
  } catch (error) {
    // Not a crash: what was written was taken back, or could not be synced, and has to be written again.
    clearDrainMark(ports, layout);
    throw error;
  }
}

/** A damaged file goes to quarantine; one that cannot be read now, or by this ben10, stays where it is, and holds nobody up. */
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

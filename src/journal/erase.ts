import { dirname } from 'node:path';
import { Ben10Error } from '../platform/errors.ts';
import { removeIfThere } from '../platform/files.ts';
import type { Codecs } from './compact-segment.ts';
import type { Envelope } from './envelope.ts';
import { removeBlobs } from './erase-blobs.ts';
import {
  type ErasureRequest,
  requestedEvent,
  SUPERSEDED_TYPE,
  supersededEvent,
} from './erase-events.ts';
import {
  assertErasable,
  byOrigin,
  type ErasureJob,
  type Finished,
  finishErasure,
} from './erase-finish.ts';
import { withLocks } from './erase-locks.ts';
import { addUp, finishPending } from './erase-resume.ts';
import type { NewEvent } from './inbox.ts';
import { ensureLayout, type Layout, layoutOf } from './layout.ts';
import { LockedJournal } from './locked-journal.ts';
import { ensureManifest, writeManifest } from './manifest.ts';
import type { JournalPorts } from './ports.ts';
import { syncFolders } from './sync-folders.ts';
import { assertFits, asWriteError } from './write-errors.ts';

/** An event that has to go. */
export interface ChosenEvent {
  /** 32 hex digits. */
  origin: string;
  seq: number;
  /** What stands for it afterwards; left out where all of it goes. */
  replacement?: Envelope;
}

export interface Choice extends Pick<ErasureRequest, 'by' | 'rule'> {
  events: readonly ChosenEvent[];
  /** Blobs that have to go though no event names them, by name. */
  blobs: readonly string[];
  /** Files of stored states, quarantined bytes and left files that have to go whatever else does, absolute. */
  files: readonly string[];
}

export interface Erased extends Finished {
  /** Inbox files that could not be read, so that nobody knows what is in them. */
  waiting: string[];
}

/** Seqs that one request names: it must fit into an event. */
export const REQUEST_EVENTS_MAX = 50_000;
/** How long an erasure waits for a compaction or another writer. */
const LOCK_BUDGET_MS = 5000;

/**
 * Erases events for good: takes in the inbox, finishes what an earlier erasure left undone, asks which events, and makes
 * husks of them in every segment that has one. Nobody appends meanwhile: hooks leave their events in the inbox. A crash
 * at any step leaves an erasure that was not begun, or one that the next who looks finishes.
 * @param choose is called with the locks held and nothing waiting in the inbox
 * @throws Ben10Error CONTEXT_LOCKED, JOURNAL_UNSAFE, JOURNAL_DAMAGED when an event stands in a damaged segment (nothing was
 * erased then), FS_WRITE_ERROR, FS_PERMISSION_DENIED; what `choose` throws
 */
export function eraseEvents(
  ports: JournalPorts,
  root: string,
  codecs: Codecs,
  choose: () => Choice,
): Erased {
  const layout = layoutOf(root);
  ensureFolders(ports, layout);
  const done = withLocks(ports, root, LOCK_BUDGET_MS, () => {
    const journal = new LockedJournal(ports, layout);
    try {
      const job = { ports, layout, codecs, journal };
      journal.drain();
      // A file that was taken in and comes back with a loss of power would bring an erased event back into the journal.
      syncFolders(ports, [layout.inbox]);
      const totals = finishPending(job);
      const choice = choose();
      assertErasable(job, choice.events);
      totals.blobs += removeBlobs(ports, layout, choice.blobs);
      totals.files += removeFiles(ports, choice.files);
      for (const part of requestsOf(job, choice)) addUp(totals, eraseSome(job, part));
      return { ...totals, waiting: journal.unreadable() };
    } finally {
      journal.close();
    }
  });
  if (done === undefined) throw cannotLock(ports, layout.journal);
  return done.value;
}

function removeFiles(ports: JournalPorts, paths: readonly string[]): number {
  const removed = paths.filter((path) => removeIfThere(ports.fs, path));
  syncFolders(ports, paths.map(dirname));
  return removed.length;
}

function ensureFolders(ports: JournalPorts, layout: Layout): void {
  try {
    ensureLayout(ports.fs, layout);
  } catch (error) {
    throw asWriteError(error, layout.journal);
  }
}

interface Part {
  request: ErasureRequest;
  replacements: NewEvent[];
}

/** One request for each origin, and several where there are very many events. */
function* requestsOf({ ports }: ErasureJob, { by, rule, events }: Choice): Generator<Part> {
  const how = rule === undefined ? { by } : { by, rule };
  for (const [origin, own] of byOrigin(events)) {
    const sorted = own.toSorted((a, b) => a.seq - b.seq);
    for (let at = 0; at < sorted.length; at += REQUEST_EVENTS_MAX) {
      const some = sorted.slice(at, at + REQUEST_EVENTS_MAX);
      const replacements = some.flatMap((event) => replacementOf(ports, event) ?? []);
      yield { request: { ...how, targets: some.map(({ seq }) => seq), origin }, replacements };
    }
  }
}

/** Undefined also where it would not fit into an event, or be nested too deep: then all of the event goes. */
function replacementOf(
  ports: JournalPorts,
  { seq, replacement }: ChosenEvent,
): NewEvent | undefined {
  if (replacement === undefined) return undefined;
  // What stood for an erased event already stands for the same one again.
  const nested = nestedIn(replacement);
  try {
    const event = supersededEvent(ports, nested?.seq ?? seq, nested?.event ?? replacement);
    assertFits(event);
    return event;
  } catch {
    return undefined;
  }
}

function nestedIn({ type, data }: Envelope): { seq: number; event: Envelope } | undefined {
  return type === SUPERSEDED_TYPE ? (data as { seq: number; event: Envelope }) : undefined;
}

/**
 * The mark comes first: it says which seq the request is going to have. What stands for events comes before the request,
 * so that a request which is there has all of it.
 */
function eraseSome(job: ErasureJob, { request, replacements }: Part): Finished {
  const { ports, layout, journal } = job;
  const seq = journal.nextSeq() + replacements.length;
  writeManifest(ports, layout, { ...ensureManifest(ports, layout), erasing: seq });
  journal.append([...replacements, requestedEvent(ports, request)]);
  return finishErasure(job, request, seq);
}

function cannotLock(ports: JournalPorts, file: string): Ben10Error {
  return ports.lock === undefined
    ? new Ben10Error('CONTEXT_LOCKED', 'this system has no file locks, so nothing can be erased', {
        place: { file },
        next: 'Erase on a system that has them (see: ben10 doctor).',
      })
    : new Ben10Error('CONTEXT_LOCKED', 'others are working on this journal', {
        place: { file },
        next: 'Wait until they are done, then run the same again.',
      });
}

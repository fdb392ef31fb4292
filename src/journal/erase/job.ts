import { Ben10Error } from '../../platform/errors.ts';
import { admissionOf } from '../append/admission.ts';
import type { NewEvent } from '../append/inbox.ts';
import { LockedJournal } from '../append/locked-journal.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { asWriteError } from '../append/write-errors.ts';
import { ensureLayout, type Layout, layoutOf } from '../format/layout.ts';
import { ensureManifest, writeManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { doom, removeDoomed } from './doomed.ts';
import { type ErasureRequest, requestedEvent } from './events.ts';
import { clearMark, type ErasureJob, type Finished, finishErasure, markOf } from './finish.ts';
import { withLocks } from './locks.ts';
import { addUp, finishPending } from './resume.ts';
import type { ErasureCodecs } from './segment.ts';

/** How long an erasure waits for a compaction or another writer. */
const LOCK_BUDGET_MS = 5000;

/**
 * Runs work with both locks held, the inbox empty, and earlier erasures finished.
 * @param work gets what finishing those did
 * @throws Ben10Error CONTEXT_LOCKED, JOURNAL_UNSAFE, JOURNAL_DAMAGED, FS_WRITE_ERROR, FS_PERMISSION_DENIED; what `work` throws
 */
export function withErasureJob<T>(
  ports: JournalPorts,
  root: string,
  codecs: ErasureCodecs,
  work: (job: ErasureJob, totals: Finished) => T,
): T {
  const layout = layoutOf(root);
  ensureFolders(ports, layout);
  const done = withLocks(ports, root, LOCK_BUDGET_MS, () => {
    const journal = new LockedJournal(ports, layout);
    try {
      const job = { ports, layout, codecs, journal };
      // Before the drain: a waiting event may repeat an event of an earlier erasure.
      const totals = finishPending(job);
      journal.drain(admissionOf(ports, layout, codecs.decoders));
      // If power loss brought an inbox file back, an erased event would come back with it.
      syncFolders(ports, [layout.inbox]);
      return work(job, totals);
    } finally {
      journal.close();
    }
  });
  if (done === undefined) throw cannotLock(ports, layout.journal);
  return done.value;
}

/** A request, and the events to append before it. */
export interface Part {
  request: ErasureRequest;
  before: readonly NewEvent[];
}

/**
 * Appends all requests, then carries them out. The mark in the manifest comes first, with the seq that the last request is going
 * to have: if a crash leaves only some requests, none may be completed. Once all are there, the mark names the first. What
 * belongs to a request comes before it.
 * @param also other files to remove
 */
export function beginErasure(
  job: ErasureJob,
  parts: readonly Part[],
  also: readonly string[] = [],
): Finished {
  const { ports, layout, codecs, journal } = job;
  const totals: Finished = { events: 0, segments: [], blobs: 0, files: 0 };
  const [first] = parts;
  if (first === undefined) return totals;
  const mark = markOf(first.request);
  const setMark = (seq: number) =>
    writeManifest(ports, layout, { ...ensureManifest(ports, layout), [mark]: seq });
  const told = parts.map(({ before, request }) => [...before, requestedEvent(ports, request)]);
  setMark(journal.nextSeq() + told.flat().length - 1);
  const doomed = doom(ports, also);
  const seqs = journal.append(told.flat());
  if (parts.length > 1) setMark(seqs[first.before.length]!);
  if (doomed.length > 0)
    addUp(totals, removeDoomed(ports, layout, doomed, admissionOf(ports, layout, codecs.decoders)));
  let end = 0;
  for (const [index, { request }] of parts.entries()) {
    end += told[index]!.length;
    addUp(totals, finishErasure(job, request, seqs[end - 1]!));
  }
  clearMark(job, mark);
  return totals;
}

function ensureFolders(ports: JournalPorts, layout: Layout): void {
  try {
    ensureLayout(ports.fs, layout);
  } catch (error) {
    throw asWriteError(error, layout.journal);
  }
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

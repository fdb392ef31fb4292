import type { Codec, Decoders } from '../../platform/codecs/codecs.ts';
import { admissionOf } from '../append/admission.ts';
import { LockedJournal } from '../append/locked-journal.ts';
import { typeTag } from '../format/envelope.ts';
import { layoutOf } from '../format/layout.ts';
import { ensureManifest, readManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { JournalReader } from '../read/reader.ts';
import { giveBackAll } from './blobs.ts';
import { doomedFiles, giveBackDoomed, removeDoomed } from './doomed.ts';
import { DONE_TYPE, doneIn, type ErasureRequest, REQUESTED_TYPE, requestIn } from './events.ts';
import {
  clearMark,
  type ErasureJob,
  type Finished,
  finishErasure,
  type Mark,
  markOf,
} from './finish.ts';
import { withLocks } from './locks.ts';

/** Who finishes what somebody else began waits for nobody: others will come by. */
const LOCK_BUDGET_MS = 50;
const STORING: Codec = { compress: () => undefined };
/** Stores what it is given: not everybody has the packer, and a compaction packs again what was stored so. */
export const STORED = { zstd: STORING, level: 0 } as const;

/** What a hook has the time for: the drop of old events, which is in no hurry, waits for the next compaction. */
const AT_ONCE: readonly Mark[] = ['erasing'];
export const ALL_MARKS: readonly Mark[] = ['erasing', 'dropping'];

/**
 * Finishes an erasure that was cut off. Costs a look at the manifest when there is none.
 * @param marks which of the manifest's marks are looked at
 * @returns what was done; undefined when there was nothing to do, or the locks were not to be had
 * @throws as `eraseEvents`
 */
export function resumeErasure(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  marks = AT_ONCE,
): Finished | undefined {
  const layout = layoutOf(root);
  const manifest = readManifest(ports, layout);
  if (marks.every((mark) => manifest?.[mark] === undefined) || ports.lock === undefined)
    return undefined;
  return withLocks(ports, root, LOCK_BUDGET_MS, () => {
    const journal = new LockedJournal(ports, layout);
    try {
      const codecs = { ...STORED, decoders };
      return finishPending({ ports, layout, codecs, journal }, marks);
    } finally {
      journal.close();
    }
  })?.value;
}

/** Finishes every erasure that is requested and not done. Call with both locks held. */
export function finishPending(job: ErasureJob, marks = ALL_MARKS): Finished {
  job.journal.open();
  giveBackAll(job.ports, job.layout);
  const totals: Finished = { events: 0, segments: [], blobs: 0, files: 0 };
  const pending = pendingRequests(job, marks);
  // Nothing is taken away for a request that a loss of power may take: who wrote it may have died before it was synced.
  if (pending.size > 0) job.journal.makeDurable();
  if (marks.includes('erasing')) addUp(totals, settleDoomed(job, [...pending.values()]));
  for (const [seq, request] of pending) addUp(totals, finishErasure(job, request, seq));
  // A mark without a request: it was cut off before anything had begun.
  for (const mark of marks) clearMark(job, mark);
  return totals;
}

/** Files that somebody who died had taken their names from go with his request, and come back where it is missing. */
function settleDoomed(
  { ports, layout, codecs }: ErasureJob,
  pending: readonly ErasureRequest[],
): Pick<Finished, 'blobs' | 'files'> {
  const { erasing, isRebuilt } = ensureManifest(ports, layout);
  const doomed = erasing === undefined && isRebuilt !== true ? [] : doomedFiles(ports, layout);
  if (doomed.length > 0 && pending.some((request) => markOf(request) === 'erasing'))
    return removeDoomed(ports, layout, doomed, admissionOf(ports, layout, codecs.decoders));
  giveBackDoomed(ports, doomed);
  return { blobs: 0, files: 0 };
}

export function addUp(to: Finished, more: Partial<Finished>): void {
  const { events = 0, segments = [], blobs = 0, files = 0 } = more;
  to.events += events;
  to.segments.push(...segments);
  to.blobs += blobs;
  to.files += files;
}

/**
 * By seq. Those from the marked one on, and where that is there also what stands before it: of several the last one may be marked.
 * Where the manifest was lost the mark was too, and all of them count.
 */
function pendingRequests(
  { ports, layout, codecs }: ErasureJob,
  marks: readonly Mark[],
): Map<number, ErasureRequest> {
  const pending = new Map<number, ErasureRequest>();
  const { isRebuilt, ...manifest } = ensureManifest(ports, layout);
  const marked = Math.min(...marks.map((mark) => manifest[mark] ?? Number.POSITIVE_INFINITY));
  if (marked === Number.POSITIVE_INFINITY && isRebuilt !== true) return pending;
  const [requested, done] = [REQUESTED_TYPE, DONE_TYPE].map((type) => typeTag(type, ports.xxh64));
  const reader = new JournalReader(ports, layout.root, codecs.decoders);
  let isAsked = marked === Number.POSITIVE_INFINITY;
  for (const { entry } of reader.entries()) {
    if (entry?.typeTag === requested) {
      const request = requestIn(entry!);
      isAsked ||= request !== undefined && entry!.seq === marked;
      if (request !== undefined && marks.includes(markOf(request)))
        pending.set(entry!.seq, request);
    } else if (entry?.typeTag === done) pending.delete(doneIn(entry!) ?? 0);
  }
  if (!isAsked) for (const seq of pending.keys()) if (seq < marked) pending.delete(seq);
  return pending;
}

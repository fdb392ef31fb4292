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

/** Short: if the locks are busy, another process will finish the erasure. */
const LOCK_BUDGET_MS = 50;
const STORING: Codec = { compress: () => undefined };
/** Stores chunks uncompressed, because hooks have no packer. The next compaction packs them. */
export const STORED = { zstd: STORING, level: 0 } as const;

/** Hooks finish only erasures. The drop of old events waits for the next compaction. */
const AT_ONCE: readonly Mark[] = ['erasing'];
export const ALL_MARKS: readonly Mark[] = ['erasing', 'dropping'];

/**
 * Finishes an interrupted erasure. If there is none, it only reads the manifest.
 * @param marks which marks of the manifest to look at
 * @returns what was done; undefined if there was nothing to do or the locks were busy
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

/** Finishes every pending erasure. Call with both locks held. */
export function finishPending(job: ErasureJob, marks = ALL_MARKS): Finished {
  job.journal.open();
  giveBackAll(job.ports, job.layout);
  const totals: Finished = { events: 0, segments: [], blobs: 0, files: 0 };
  const pending = pendingRequests(job, marks);
  // Its writer may have crashed before the request was synced: nothing is removed before it is on disk.
  if (pending.size > 0) job.journal.makeDurable();
  if (marks.includes('erasing')) addUp(totals, settleDoomed(job, [...pending.values()]));
  for (const [seq, request] of pending) addUp(totals, finishErasure(job, request, seq));
  // A mark without a request: the crash came before anything was begun.
  for (const mark of marks) clearMark(job, mark);
  return totals;
}

/** Files with the suffix are removed if their request is there, and restored if it is not. */
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
 * Pending requests by seq: those from the marked seq on, and if that one is there, also those before it, since the mark may name
 * the last of several. If the manifest was lost with its mark, all requests count.
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

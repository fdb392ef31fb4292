import { removeIfThere } from '../../platform/files.ts';
import type { LockedJournal } from '../append/locked-journal.ts';
import {
  type Layout,
  listOrigin,
  listOrigins,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import { ensureManifest, type Manifest, writeManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { JournalReader } from '../read/reader.ts';
import { eraseBlobsOf } from './blobs.ts';
import { derivedFiles, firstHeld, removeDerived, storedStates } from './derived.ts';
import { withErased, writeErasedIds } from './erased-ids.ts';
import { doneEvent, type ErasureRequest } from './events.ts';
import { assertWhole, type ErasureCodecs, eraseInSegment } from './segment.ts';
import { type Targets, targetsOf } from './targets.ts';

/** What an erasure works with; both locks are held. */
export interface ErasureJob {
  ports: JournalPorts;
  layout: Layout;
  codecs: ErasureCodecs;
  journal: LockedJournal;
}

/** What an erasure did. */
export interface Finished {
  /** Events that became tombstones. */
  events: number;
  /** Names of the segments that were rewritten. */
  segments: string[];
  blobs: number;
  /** Stored states, quarantined bytes and left files that were removed. */
  files: number;
}

/**
 * Carries out a request that is in the journal. Every step can be repeated after a crash. `erasure.done` is appended when nothing
 * of the targets is left. The manifest's mark stays: there may be other requests to finish.
 *
 * The erasure epoch rises after the segments were rewritten, so that a state folded from old bytes meanwhile has the old epoch
 * and is ignored.
 * @throws Ben10Error JOURNAL_DAMAGED, Node's error; then the request is still pending
 */
export function finishErasure(job: ErasureJob, request: ErasureRequest, seq: number): Finished {
  const { ports, layout, codecs, journal } = job;
  const { origin: own, formerly } = ensureManifest(ports, layout);
  // A request from before the journal was copied is about the copy's folder, unless the original's folder is there, too.
  const isFormer = (of: string) =>
    formerly?.includes(of) === true && !listOrigins(ports.fs, layout).includes(of);
  const isOwn = request.origin === undefined || isFormer(request.origin);
  const origin = isOwn ? own : request.origin!;
  const targets = targetsOf(request);
  if (request.targets.length === 0 && request.upto === undefined) {
    // Only files were removed; a crash may have come before their folders were synced.
    removeDerived(ports, layout, { states: [], quarantine: [], leftovers: [] });
    journal.append([doneEvent(ports, { request: seq, events: 0, segments: 0, blobs: 0 })]);
    return { events: 0, segments: [], blobs: 0, files: 0 };
  }
  const isTarget = (of: string, at: number) => of === origin && targets.has(at);
  const touched = targets.in(listOrigin(ports.fs, layout, origin));
  // Hooks need not load the ids of dropped events: only an import repeats events that old, and it reads tombstones.
  const isDrop = request.by === 'age';
  const areKeptOut = origin === own && !isDrop;
  const removeBlobs = () =>
    eraseBlobsOf(ports, layout, codecs.decoders, touched, isTarget, areKeptOut);
  const blobs = removeBlobs();
  journal.close();
  const done: Finished = { events: 0, segments: [], blobs, files: 0 };
  const ids = new Map<string, number>();
  for (const file of touched) {
    const { tombstones, made } = eraseInSegment(ports, file, (at) => targets.has(at), codecs);
    done.events += made;
    if (made > 0) done.segments.push(segmentName(file));
    if (areKeptOut)
      for (const tombstone of tombstones) ids.set(tombstone.id.toString('hex'), tombstone.seq);
    removeTwin(ports, layout, file);
  }
  raiseEpoch(job, ids);
  // From here on a repeated event is known as erased. One that came before may have brought its blob along.
  if (areKeptOut) done.blobs += removeBlobs();
  const reader = new JournalReader(ports, layout.root, codecs.decoders);
  const fromSeq = origin === own ? firstHeld(ports, reader, targets.first) : 1;
  // Old events are no secrets: saves and quarantined bytes stay.
  const derived = isDrop ? storedStates(ports, layout) : derivedFiles(ports, layout, fromSeq);
  removeDerived(ports, layout, derived);
  // Another process may have stored a state meanwhile. From here on the new epoch prevents it.
  const late = storedStates(ports, layout);
  if (late.states.length > 0) removeDerived(ports, layout, late);
  done.files = Object.values(derived).reduce((sum, files) => sum + files.length, 0);
  const { events, segments } = done;
  const told = { events, segments: segments.length, blobs: done.blobs };
  journal.append([doneEvent(ports, { request: seq, ...told })]);
  return done;
}

/** The manifest's key for the seq from which on a request is pending. */
export type Mark = 'erasing' | 'dropping';

export const markOf = ({ by }: Pick<ErasureRequest, 'by'>): Mark =>
  by === 'age' ? 'dropping' : 'erasing';

/** Notes that nothing is pending any more. */
export function clearMark({ ports, layout }: ErasureJob, mark: Mark): void {
  const { [mark]: seq, ...manifest }: Manifest = ensureManifest(ports, layout);
  if (seq !== undefined) writeManifest(ports, layout, manifest);
}

/**
 * Call before a request is appended: what cannot be finished must not be begun.
 * @throws Ben10Error JOURNAL_DAMAGED
 */
export function assertErasable(
  { ports, layout, codecs }: ErasureJob,
  origin: string,
  targets: Targets,
): void {
  const files = targets.in(listOrigin(ports.fs, layout, origin));
  for (const file of files) assertWhole(ports, file, codecs);
}

/** A crashed compaction may have left both forms of a segment. */
function removeTwin(ports: JournalPorts, layout: Layout, file: SegmentFile): void {
  if (file.sealed) removeIfThere(ports.fs, segmentPath(layout, file.origin, file.firstSeq, false));
}

function raiseEpoch(
  { ports, layout, codecs }: ErasureJob,
  more: ReadonlyMap<string, number>,
): void {
  const manifest = ensureManifest(ports, layout);
  const erasureEpoch = manifest.erasureEpoch + 1;
  const reader = new JournalReader(ports, layout.root, codecs.decoders);
  const ids = withErased(ports, layout, reader, manifest.erasureEpoch, more);
  writeErasedIds(ports, layout, ids, erasureEpoch);
  writeManifest(ports, layout, { ...manifest, erasureEpoch });
}

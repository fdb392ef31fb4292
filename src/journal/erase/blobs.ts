import { dirname } from 'node:path';
import type { Decoders } from '../../platform/codecs/codecs.ts';
import { readdirIfThere, removeIfThere, renameIfThere } from '../../platform/files.ts';
import { admitting } from '../append/admission.ts';
import { blobPath } from '../append/blobs.ts';
import type { Admit } from '../append/drain.ts';
import { listInbox, type NewEvent, readSpool } from '../append/inbox.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { blobReferences } from '../format/blob-references.ts';
import { FRAME_KIND } from '../format/format.ts';
import { type Layout, refuseUnsafe, type SegmentFile } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { allSegments, readSegment } from '../read/all-entries.ts';

/**
 * Removes blobs that only targets name, or inbox events which repeat a target. Call with the lock held and before the targets go:
 * afterwards nothing tells which blobs were theirs, and a stored name would let somebody check a guess at the text.
 * @param touched the segments that have a target
 * @param areKeptOut whether events that repeat a target are kept out of the journal; false for another origin's or merely old ones
 * @returns how many were removed
 */
export function eraseBlobsOf(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  touched: readonly SegmentFile[],
  isTarget: (origin: string, seq: number) => boolean,
  areKeptOut: boolean,
): number {
  const doomed = new Set<string>();
  const ids = new Map<string, number>();
  for (const file of touched) {
    const { entries } = readSegment(ports, file, decoders) ?? { entries: [] };
    for (const { seq, kind, payload, id } of entries) {
      if (!isTarget(file.origin, seq)) continue;
      if (areKeptOut) ids.set(id.toString('hex'), seq);
      if (kind !== FRAME_KIND.event) continue;
      for (const name of blobReferences(payload)) doomed.add(name);
    }
  }
  const admit = admitting(ports, ids);
  // An event that repeats a target has put its blob there, maybe again.
  const waiting = waitingEvents(ports, layout);
  const admitted = namedBy(waiting.flatMap((event) => admit(event) ?? []));
  for (const name of namedBy(waiting)) if (!admitted.has(name)) doomed.add(name);
  return removeUnnamed(ports, layout, decoders, doomed, admit, isTarget);
}

/**
 * Removes blobs that no event names, as `removeBlobs`. Call with the lock held.
 * @param isTarget events that do not count
 */
export function removeUnnamed(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  names: Iterable<string>,
  admit: Admit,
  isTarget: (origin: string, seq: number) => boolean = () => false,
): number {
  const doomed = new Set(names);
  if (doomed.size === 0) return 0;
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    for (const { seq, kind, payload } of entries) {
      if (kind !== FRAME_KIND.event || isTarget(file.origin, seq)) continue;
      for (const name of blobReferences(payload)) doomed.delete(name);
    }
  }
  return removeBlobs(ports, layout, [...doomed], admit);
}

function waitingEvents(ports: ReaderPorts, layout: Layout): NewEvent[] {
  return listInbox(ports, layout).flatMap((name) => {
    try {
      const waiting = readSpool(ports, `${layout.inbox}/${name}`);
      return typeof waiting === 'string' ? [] : waiting;
    } catch {
      return []; // gone or unreadable: draining the inbox cannot read it either
    }
  });
}

const namedBy = (events: readonly NewEvent[]): Set<string> =>
  new Set(events.flatMap(({ payload }) => blobReferences(payload)));

/** Suffix of a blob until it is known that no waiting event names it, so that a crash in between loses nothing. */
const ASIDE = '.aside.tmp';

/**
 * Removes blobs for good, except those that events name which hooks leave in the inbox meanwhile. Folders are always synced: an
 * earlier attempt may have crashed before its sync.
 * @param names 64 hex digits each
 * @param admit which inbox events are going to be taken in
 * @returns how many were there
 * @throws Ben10Error JOURNAL_UNSAFE if a folder is a link
 */
export function removeBlobs(
  ports: JournalPorts,
  layout: Layout,
  names: readonly string[],
  admit: Admit,
): number {
  const isReal = (dir: string) => refuseUnsafe(ports.fs, dir) !== undefined;
  if (names.length === 0 || !isReal(layout.blobs)) return 0;
  const paths = names.map((name) => blobPath(layout, name));
  const ours = paths.filter((path) => isReal(dirname(path)));
  const aside = ours.filter((path) => renameIfThere(ports.fs, path, `${path}${ASIDE}`));
  const kept = blobsThatWait(ports, layout, admit);
  const removed = aside.filter((path) =>
    kept.has(path) ? giveBack(ports, path) : removeIfThere(ports.fs, `${path}${ASIDE}`),
  );
  syncFolders(ports, paths.map(dirname));
  return removed.length;
}

/** Paths of blobs named by inbox events that are going to be taken in. */
export function blobsThatWait(ports: ReaderPorts, layout: Layout, admit: Admit): Set<string> {
  const waiting = waitingEvents(ports, layout).flatMap((event) => admit(event) ?? []);
  return new Set(Array.from(namedBy(waiting), (name) => blobPath(layout, name)));
}

/** Restores blobs that a crashed removal left under the suffix: an event may name them by now. Call with the lock held. */
export function giveBackAll(ports: JournalPorts, { blobs }: Layout): void {
  for (const shard of readdirIfThere(ports.fs, blobs)) {
    const dir = `${blobs}/${shard}`;
    for (const name of readdirIfThere(ports.fs, dir))
      if (name.endsWith(ASIDE)) giveBack(ports, `${dir}/${name.slice(0, -ASIDE.length)}`);
  }
}

/** May replace a blob that was written again meanwhile: it is the same text. @returns false: not removed */
function giveBack(ports: JournalPorts, path: string): false {
  renameIfThere(ports.fs, `${path}${ASIDE}`, path);
  return false;
}

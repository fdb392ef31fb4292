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
 * Removes the blobs that only events name which are about to go, or which wait in the inbox and tell one of these again.
 * It comes before they go: afterwards nobody could tell which blobs were theirs, and a name that was noted down would
 * let a guess at the text be checked. Call with the lock held.
 * @param touched the segments that have a target
 * @param areKeptOut whether what tells a target again is kept out of the journal: not where it is another origin's, or merely old
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
  // Who tells one again has put its text there, maybe when that of the event was gone already.
  const waiting = waitingEvents(ports, layout);
  const admitted = namedBy(waiting.flatMap((event) => admit(event) ?? []));
  for (const name of namedBy(waiting)) if (!admitted.has(name)) doomed.add(name);
  return removeUnnamed(ports, layout, decoders, doomed, admit, isTarget);
}

/**
 * Removes those of some blobs that no event names, as `removeBlobs`. Call with the lock held.
 * @param isTarget of events that do not count
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
      return []; // gone, or not to be read: whoever takes the inbox in cannot either
    }
  });
}

const namedBy = (events: readonly NewEvent[]): Set<string> =>
  new Set(events.flatMap(({ payload }) => blobReferences(payload)));

/** What a text's file is called until it is known that nobody who waits names it: who dies over that has lost nothing. */
const ASIDE = '.aside.tmp';

/**
 * Removes blobs for good, but for those that events name which hooks leave in the inbox meanwhile: they may name a text that
 * they found there. Folders are synced also where nothing was left to remove: who did it may have died before.
 * @param names 64 hex digits each
 * @param admit what of the inbox is going to be taken in
 * @returns how many were there
 * @throws Ben10Error JOURNAL_UNSAFE where a link stands in the place of a folder
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

/** Paths of those that events name which are going to be taken in. */
export function blobsThatWait(ports: ReaderPorts, layout: Layout, admit: Admit): Set<string> {
  const waiting = waitingEvents(ports, layout).flatMap((event) => admit(event) ?? []);
  return new Set(Array.from(namedBy(waiting), (name) => blobPath(layout, name)));
}

/** What somebody set aside who died over it: an event may name it by now. Call with the lock held. */
export function giveBackAll(ports: JournalPorts, { blobs }: Layout): void {
  for (const shard of readdirIfThere(ports.fs, blobs)) {
    const dir = `${blobs}/${shard}`;
    for (const name of readdirIfThere(ports.fs, dir))
      if (name.endsWith(ASIDE)) giveBack(ports, `${dir}/${name.slice(0, -ASIDE.length)}`);
  }
}

/** Over one that was put there again meanwhile: it is the same text. @returns false, for it is not removed */
function giveBack(ports: JournalPorts, path: string): false {
  renameIfThere(ports.fs, `${path}${ASIDE}`, path);
  return false;
}

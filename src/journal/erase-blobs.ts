import { dirname } from 'node:path';
import type { Decoders } from '../platform/codecs/codecs.ts';
import { removeIfThere, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { admitting } from './admission.ts';
import { allSegments, readSegment } from './all-entries.ts';
import { blobReferences } from './blob-references.ts';
import { blobPath, hasBlob, storedBlob } from './blobs.ts';
import type { Admit } from './drain.ts';
import { FRAME_KIND } from './format.ts';
import { listInbox, readSpool } from './inbox.ts';
import { type Layout, refuseUnsafe, type SegmentFile } from './layout.ts';
import type { JournalPorts, ReaderPorts } from './ports.ts';
import { syncFolders } from './sync-folders.ts';

/**
 * Removes the blobs that only events name which are about to go. It comes before they go: afterwards nobody could tell
 * which blobs were theirs, and a name that was noted down would let a guess at the text be checked. Call with the lock
 * held.
 * @param touched the segments that have a target
 * @returns how many were removed
 */
export function eraseBlobsOf(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  touched: readonly SegmentFile[],
  isTarget: (origin: string, seq: number) => boolean,
): number {
  const doomed = new Set<string>();
  const ids = new Map<string, number>();
  for (const file of touched) {
    const { entries } = readSegment(ports, file, decoders) ?? { entries: [] };
    for (const { seq, kind, payload, id } of entries) {
      if (!isTarget(file.origin, seq)) continue;
      ids.set(id.toString('hex'), seq);
      if (kind !== FRAME_KIND.event) continue;
      for (const name of blobReferences(payload)) doomed.add(name);
    }
  }
  if (doomed.size === 0) return 0;
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    for (const { seq, kind, payload } of entries) {
      if (kind !== FRAME_KIND.event || isTarget(file.origin, seq)) continue;
      for (const name of blobReferences(payload)) doomed.delete(name);
    }
  }
  // Hooks leave events in the inbox meanwhile, and may name a text that they found there.
  const admit = admitting(ports, ids);
  for (const name of namedInInbox(ports, layout, admit)) doomed.delete(name);
  const stored = someStored(ports, layout, doomed);
  let removed = removeBlobs(ports, layout, [...doomed]);
  for (const name of namedInInbox(ports, layout, admit)) {
    const bytes = stored.get(name);
    if (bytes === undefined || hasBlob(ports, layout, name)) continue;
    const unique = randomHex(ports.random, 6);
    writeFileAtomic(ports.fs, blobPath(layout, name), bytes, unique, { durable: true });
    removed -= 1;
  }
  return removed;
}

/** Of what is removed, so much is held to be put back: a drop may remove gigabytes, and who waits names few of them. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

function someStored(
  ports: ReaderPorts,
  layout: Layout,
  names: ReadonlySet<string>,
): Map<string, Buffer> {
  const stored = new Map<string, Buffer>();
  let held = 0;
  for (const name of names) {
    if (held >= HELD_BYTES_MAX) break;
    try {
      const bytes = storedBlob(ports, layout, name);
      if (bytes === undefined) continue;
      stored.set(name, bytes);
      held += bytes.length;
    } catch {
      // What the disk does not give goes all the same.
    }
  }
  return stored;
}

/** Blobs that events name which wait, as far as they are going to be taken in. */
function namedInInbox(ports: ReaderPorts, layout: Layout, admit: Admit): Set<string> {
  const events = listInbox(ports, layout).flatMap((name) => {
    try {
      const waiting = readSpool(ports, `${layout.inbox}/${name}`);
      return typeof waiting === 'string' ? [] : waiting;
    } catch {
      return []; // gone, or not to be read: whoever takes the inbox in cannot either
    }
  });
  const taken = events.flatMap((event) => admit(event) ?? []);
  return new Set(taken.flatMap(({ payload }) => blobReferences(payload)));
}

/**
 * Removes blobs for good. Folders are synced also where nothing was left to remove: who did it may have died before.
 * @param names 64 hex digits each
 * @returns how many were there
 * @throws Ben10Error JOURNAL_UNSAFE where a link stands in the place of a folder
 */
export function removeBlobs(ports: JournalPorts, layout: Layout, names: readonly string[]): number {
  const isReal = (dir: string) => refuseUnsafe(ports.fs, dir) !== undefined;
  if (names.length === 0 || !isReal(layout.blobs)) return 0;
  const ours = names.filter((name) => isReal(dirname(blobPath(layout, name))));
  const removed = ours.filter((name) => removeIfThere(ports.fs, blobPath(layout, name)));
  syncFolders(
    ports,
    names.map((name) => dirname(blobPath(layout, name))),
  );
  return removed.length;
}

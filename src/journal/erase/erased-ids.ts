import { errno } from '../../platform/errors.ts';
import { readFile, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { LockFile } from '../append/locking.ts';
import { joined, readBigU64, readU64, writeBigU64, writeU64 } from '../format/bytes.ts';
import { FRAME_KIND, ID_BYTES } from '../format/format.ts';
import type { Layout } from '../format/layout.ts';
import { readManifest, stampOf } from '../format/manifest.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import type { JournalReader } from '../read/reader.ts';
import { oneRoom } from '../read/room.ts';

/**
 * The ids of erased events, in a file beside the journal, so that an append need not read the whole journal to learn that its
 * event was erased. The file can be rebuilt from the tombstones.
 *
 * Its bytes: erasure epoch (u64), then id (16) and seq (u64) of each, then XXH64 of all before (seed 0).
 */
const FILE = 'erased';
const RECORD_BYTES = ID_BYTES + 8;
const SUM_BYTES = 8;
/** Two and a half million events. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

const pathOf = (layout: Layout): string => `${layout.journal}/${FILE}`;

/** Marks a file that may lack tombstones: a repair is running that makes some readable, or it crashed. No erasure has this epoch. */
const OPEN_EPOCH = 0;

/**
 * Seqs of erased events by their ids (hex). A file of another epoch is rebuilt, because hooks have no time to read tombstones; so
 * is one that a crashed repair left open.
 * @param reader must give tombstones as tombstones
 * @param epoch the erasure epoch; undefined if there is no manifest
 */
export function erasedIds(
  ports: JournalPorts,
  layout: Layout,
  reader: JournalReader,
  epoch: number | undefined,
): ReadonlyMap<string, number> {
  const known = readErasedIds(ports, layout);
  if (known !== undefined && known.epoch === epoch) return known.ids;
  return closedNow(ports, layout, reader) ?? withTombstones(known, reader);
}

/** Undefined if another process has the compaction lock, since it may be a repair, or if the file cannot be written. */
function closedNow(
  ports: JournalPorts,
  layout: Layout,
  reader: JournalReader,
): ReadonlyMap<string, number> | undefined {
  try {
    const lock = new LockFile(ports, layout.compactLock);
    try {
      return lock.hold(0, () => closeErasedIds(ports, layout, reader))?.value;
    } finally {
      lock.close();
    }
  } catch (error) {
    // The disk is full or read-only: the next process reads the tombstones again.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

/** Erased events stay erased, so the entries of a file of any epoch are right. */
function withTombstones(known: Known | undefined, reader: JournalReader): Map<string, number> {
  const ids = new Map(known?.ids);
  for (const { entry } of reader.entries(undefined, undefined, oneRoom())) {
    if (entry?.kind === FRAME_KIND.tombstone) ids.set(entry.id.toString('hex'), entry.seq);
  }
  return ids;
}

/** Whether the file is damaged: then the tombstones are read instead. */
export const isErasedFileDamaged = (ports: ReaderPorts, layout: Layout): boolean =>
  readContent(ports, layout) === 'damaged';

/** Adds newly erased ids. Reads tombstones only if no sound file of the epoch is there. */
export function withErased(
  ports: ReaderPorts,
  layout: Layout,
  reader: JournalReader,
  epoch: number,
  more: ReadonlyMap<string, number>,
): Map<string, number> {
  const known = epoch === 0 ? { epoch, ids: new Map() } : readErasedIds(ports, layout);
  if (known?.epoch !== epoch) return withTombstones(known, reader);
  for (const [id, seq] of more) known.ids.set(id, seq);
  return known.ids;
}

/** Call before a repair makes tombstones readable: until the file is closed again, it counts as incomplete, so no erased event comes back. */
export function openErasedIds(ports: JournalPorts, layout: Layout): void {
  if (erasureEpochOf(ports, layout) === 0) return;
  const ids = readErasedIds(ports, layout)?.ids ?? new Map();
  writeErasedIds(ports, layout, ids, OPEN_EPOCH, true);
}

/** Whether a repair opened it and is running or has crashed. */
export const areErasedIdsOpen = (ports: ReaderPorts, layout: Layout): boolean =>
  readErasedIds(ports, layout)?.epoch === OPEN_EPOCH;

/**
 * Adds all readable tombstones and marks the file as complete. Ids whose tombstones are lost stay in it. Call with the compaction
 * lock held.
 * @returns all ids; undefined if nothing was erased, or there is no manifest
 */
export function closeErasedIds(
  ports: JournalPorts,
  layout: Layout,
  reader: JournalReader,
): ReadonlyMap<string, number> | undefined {
  const epoch = erasureEpochOf(ports, layout);
  if (epoch === 0) return undefined;
  const ids = withTombstones(readErasedIds(ports, layout), reader);
  writeErasedIds(ports, layout, ids, epoch);
  return ids;
}

const erasureEpochOf = (ports: ReaderPorts, layout: Layout): number =>
  readManifest(ports, layout)?.erasureEpoch ?? 0;

/** Call before the epoch is written: a file of an epoch that never comes does no harm. */
export function writeErasedIds(
  ports: JournalPorts,
  layout: Layout,
  ids: ReadonlyMap<string, number>,
  epoch: number,
  durable = false,
): void {
  const head = Buffer.alloc(8);
  writeU64(head, epoch, 0);
  const records = Array.from(ids, ([id, seq]) => {
    const record = Buffer.alloc(RECORD_BYTES);
    record.set(Buffer.from(id, 'hex'), 0);
    writeU64(record, seq, ID_BYTES);
    return record;
  });
  const content = joined([head, ...records]);
  const sum = Buffer.alloc(SUM_BYTES);
  writeBigU64(sum, ports.xxh64(content, 0n), 0);
  const unique = randomHex(ports.random, 6);
  // Need not be durable: if power loss damages it, epoch and sum show it.
  const bytes = Buffer.concat([content, sum]);
  writeFileAtomic(ports.fs, pathOf(layout), bytes, unique, { durable });
}

/** Whether an event may have been erased, for hooks, which read no tombstones: true if the file cannot tell. */
export function mayBeErased(ports: ReaderPorts, layout: Layout, id: Buffer): boolean {
  const erasureEpoch = erasureEpochOf(ports, layout);
  if (erasureEpoch === 0) return false;
  const known = readErasedIds(ports, layout);
  return known?.epoch === erasureEpoch ? known.ids.has(id.toString('hex')) : true;
}

interface Known {
  epoch: number;
  ids: Map<string, number>;
}

/** Undefined if there is no sound file. */
function readErasedIds(ports: ReaderPorts, layout: Layout): Known | undefined {
  const content = readContent(ports, layout);
  if (typeof content === 'string') return undefined;
  const ids = new Map<string, number>();
  for (let at = 8; at < content.length; at += RECORD_BYTES) {
    const id = content.subarray(at, at + ID_BYTES).toString('hex');
    ids.set(id, readU64(content, at + ID_BYTES));
  }
  return { epoch: readU64(content, 0), ids };
}

/** Changes when the file is replaced, as `manifestStamp`. */
export const erasedStamp = ({ fs }: ReaderPorts, layout: Layout): string =>
  stampOf(fs, pathOf(layout));

function readContent(ports: ReaderPorts, layout: Layout): Buffer | 'missing' | 'damaged' {
  let bytes: Buffer;
  try {
    bytes = readFile(ports.fs, pathOf(layout), FILE_BYTES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return errno(error) === 'ENOENT' ? 'missing' : 'damaged';
  }
  const end = bytes.length - SUM_BYTES;
  if (end < 8 || (end - 8) % RECORD_BYTES !== 0) return 'damaged';
  const content = bytes.subarray(0, end);
  return ports.xxh64(content, 0n) === readBigU64(bytes, end) ? content : 'damaged';
}

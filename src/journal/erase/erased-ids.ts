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
 * The ids of erased events, in a file beside the journal: who tells a fact that was erased must learn so without reading
 * the whole journal. They stand in the tombstones anyway; the file can be made again at any time.
 *
 * Its bytes: erasure epoch (u64), then id (16) and seq (u64) of each, then XXH64 of all before (seed 0).
 */
const FILE = 'erased';
const RECORD_BYTES = ID_BYTES + 8;
const SUM_BYTES = 8;
/** Two and a half million events: more were never erased. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

const pathOf = (layout: Layout): string => `${layout.journal}/${FILE}`;

/** Of a file beside which the tombstones have to be read: a repair is making some readable, or died over it. No erasure has it. */
const OPEN_EPOCH = 0;

/**
 * Seqs of erased events by their ids (hex), as of an erasure epoch. A file that does not say so is made again: whoever has not the
 * time to read tombstones would go without. So is one that a repair died over, by the first who comes by when none is running.
 * @param reader reads tombstones as tombstones
 * @param epoch undefined where no manifest tells it
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

/** Undefined where somebody else has the lock of compactions, who may be making tombstones readable, or the file cannot be written. */
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
    // A disk that is full or can only be read: the next one reads the tombstones, too.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

/** What was erased stays so: a file of any epoch is right in all that it has. */
const withTombstones = (known: Known | undefined, reader: JournalReader): Map<string, number> =>
  new Map([...(known?.ids ?? []), ...findErasedIds(reader)]);

function findErasedIds(reader: JournalReader): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { entry } of reader.entries(undefined, undefined, oneRoom())) {
    if (entry?.kind === FRAME_KIND.tombstone) ids.set(entry.id.toString('hex'), entry.seq);
  }
  return ids;
}

/** Whether the file is there and not what was written: then the tombstones are read instead. */
export const isErasedFileDamaged = (ports: ReaderPorts, layout: Layout): boolean =>
  readContent(ports, layout) === 'damaged';

/** The same after these were erased as well; tombstones are looked for only where no sound file says which there were. */
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

/**
 * Says that tombstones count that are not in the file yet, before a repair makes some readable: a file that somebody made meanwhile of
 * the others does not know them, and what they stand for would come back.
 */
export function openErasedIds(ports: JournalPorts, layout: Layout): void {
  if (erasureEpochOf(ports, layout) === 0) return;
  const ids = readErasedIds(ports, layout)?.ids ?? new Map();
  writeErasedIds(ports, layout, ids, OPEN_EPOCH, true);
}

/** Whether a repair is running that opened it, or died. */
export const areErasedIdsOpen = (ports: ReaderPorts, layout: Layout): boolean =>
  readErasedIds(ports, layout)?.epoch === OPEN_EPOCH;

/**
 * Adds the tombstones that can be read now, and says that these are all; those stay of which the tombstone is lost for good. Call with the
 * lock of compactions held.
 * @returns all of them; undefined where nothing was erased, or no manifest tells
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

/** Written before the epoch is: a file of an epoch that never came is of no use to anybody, and does no harm. */
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
  // Where a loss of power takes or spoils it, epoch and sum tell, and the tombstones say the same.
  const bytes = Buffer.concat([content, sum]);
  writeFileAtomic(ports.fs, pathOf(layout), bytes, unique, { durable });
}

/** Whether an event may have been erased, as a hook asks, which reads no tombstones: it may where something was, and no sound file says what. */
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

/** Undefined when there is none that is sound. */
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

/** Tells the file from the one that stood there before, as `manifestStamp`. */
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

import { basename } from 'node:path';
import { SEGMENT_BYTES_DEFAULT } from '../journal/format/format.ts';
import type { SegmentFile } from '../journal/format/layout.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import { integrityCacheOf } from '../journal/read/integrity-cache.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Damage } from '../journal/read/scan.ts';
import type { MissingEvents, SegmentSummary } from '../journal/read/segment-summary.ts';
import type { Project } from '../project/open.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { wholeFrontier } from '../projections/frontier.ts';

/** Larger journals are not read completely, only their newest segment. */
export const READ_BYTES_MAX = SEGMENT_BYTES_DEFAULT;

/** The newest segment's file when it was last found sound, up to the stored state's event. */
interface Sound {
  segment: string;
  ino: number;
  size: number;
  mtimeMs: number;
}

const STORED = { name: 'sound-segment', version: 1, keyframes: false };
/** Reading fewer events again takes less time than storing. */
const STORE_EVENTS = 500;

/**
 * Unreadable events inside segments; a segment summary only covers their ends. Sound parts are not read again, unless their file
 * changes by more than an append.
 * @param journalBytes of all segments
 */
export function damagedEvents(
  { ports, reader }: Project,
  segmentSummary: SegmentSummary,
  journalBytes: number,
  store: CheckpointStore,
): MissingEvents[] {
  const newest = reader.segments().at(-1);
  if (newest === undefined) return [];
  const items =
    journalBytes <= READ_BYTES_MAX
      ? integrityCacheOf(ports, reader).damage()
      : damageIn(newest, ports, reader, store);
  const found: MissingEvents[] = [];
  for (const { segment, damage } of items) {
    if (damage.firstSeq === null || segmentSummary.strangers.includes(segment)) continue;
    const { firstSeq, lastSeq } = damage;
    if (!isKnown(segmentSummary, firstSeq)) found.push({ firstSeq, lastSeq, segment });
  }
  return found;
}

function* damageIn(
  file: SegmentFile,
  ports: JournalPorts,
  reader: JournalReader,
  store: CheckpointStore,
): Generator<{ segment: string; damage: Damage }> {
  const stat = ports.fs.statIfThere(file.path);
  if (stat === undefined) return;
  const { ino, size, mtimeMs } = stat;
  const now: Sound = { segment: basename(file.path), ino, size, mtimeMs };
  const from = Math.max(file.firstSeq, soundUpto(store, now) + 1);
  let last = from - 1;
  let isSound = true;
  for (const { segment, entry, damage } of reader.entries(from, undefined, oneRoom())) {
    if (damage !== undefined) {
      isSound = false;
      yield { segment, damage };
    } else last = entry.seq;
  }
  if (isSound && last - from >= STORE_EVENTS)
    store.tryToSave(STORED, null, now, wholeFrontier(last, null));
}

/** The last event up to which the file is known to be sound, or 0. */
function soundUpto(store: CheckpointStore, now: Sound): number {
  for (const seq of store.list(STORED, null).slice(0, 1)) {
    const known = store.load<Sound>(STORED, null, seq)?.state;
    if (known?.segment !== now.segment || known.ino !== now.ino) continue;
    // A longer file was appended to.
    const isSame = known.size === now.size && known.mtimeMs === now.mtimeMs;
    if (isSame || known.size < now.size) return seq;
  }
  return 0;
}

const isKnown = ({ missing }: SegmentSummary, seq: number): boolean =>
  missing.some(
    ({ firstSeq, lastSeq }) => firstSeq <= seq && seq <= (lastSeq ?? Number.POSITIVE_INFINITY),
  );

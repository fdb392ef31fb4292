import { SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { Frame } from '../format/frame.ts';
import { HINT_NAME } from '../format/hint.ts';
import { type Layout, type SegmentFile, segmentName } from '../format/layout.ts';
import type { Manifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { isSkipped, newerFormat, type SegmentHeader } from '../format/segment.ts';
import { openSegment, Segment } from '../read/open.ts';
import type { Damage } from '../read/scan.ts';
import { framesAtMost, type KnownEnd, type SegmentEnd } from '../read/segment-end.ts';
import { keep } from '../repair/quarantine.ts';
import { createSegment } from './rotate.ts';
import { readTail, type Tail } from './tail.ts';

/** What a recovery did, for the `journal.repaired` event that tells of it. */
export interface Repair {
  /**
   * `torn-tail`: events that nobody was promised were cut off: an append, or all behind a hole that a power cut left.
   * `lost-durable`: durable bytes are gone; `bad-header`: the newest segment's header is damaged. Nothing was cut, a new
   * segment goes on.
   * `manifest`: it was lost or damaged, and was mended or made anew.
   */
  kind: 'torn-tail' | 'lost-durable' | 'bad-header' | 'manifest';
  /** A file's name; that of the sync hint where no segment is left. */
  segment: string;
  offset: number;
  bytes: number;
  /** Name in `quarantine/` of what was taken out. */
  kept?: string;
}

/** What the active segment looks like after a full scan. */
interface TailScan {
  /** The last whole frame, of those before a hole. */
  last: Frame | undefined;
  /** Start of the damage that runs to the end, or of the hole; undefined if the last frame is whole. */
  tornAt: number | undefined;
  isHole: boolean;
  /** Up to this seq everything was on disk. */
  claimed: number;
  /** The highest seq of what a repair may still put right. */
  possible: number;
}

/**
 * Whether a power cut took events that nobody had synced, and left later ones. Only for segments not written to since boot:
 * in others damage is rot, and what stands behind it stays. @param syncedUpto what the hint claims
 */
export function hasHole(ports: JournalPorts, file: SegmentFile, syncedUpto: number): boolean {
  const found = openSegment(ports, file);
  return found !== undefined && scanTail(found, { syncedUpto, isAfterReboot: true }).isHole;
}

/**
 * If no segment is open for appending: whether events were lost behind the newest one (damaged, or shorter than the hint
 * claims).
 * @param newest undefined if all are gone @param end where the next one goes on
 */
export function lossBehind(
  { fs }: JournalPorts,
  newest: SegmentFile | undefined,
  end: KnownEnd,
): { repair: Repair }[] {
  if (end.flags === 0) return [];
  const segment = newest === undefined ? HINT_NAME : segmentName(newest);
  const offset = newest === undefined ? 0 : (fs.statIfThere(newest.path)?.size ?? 0);
  return [{ repair: { kind: 'lost-durable', segment, offset, bytes: 0 } }];
}

interface Known {
  syncedUpto: number;
  isAfterReboot: boolean;
}

/**
 * Repairs the end of the newest segment. Only the lock holder may: for others it may be an append in flight. Cut bytes are
 * kept in `quarantine/` first.
 * @param fd the segment, open for writing; still in use only if the returned tail has it
 * @param before the end of all other segments, asked if this one's header is lost
 * @param known `syncedUpto` of the hint; `isAfterReboot`: nobody wrote to the segment since boot
 */
export function recoverTail(
  ports: JournalPorts,
  layout: Layout,
  manifest: Manifest,
  file: SegmentFile,
  fd: number,
  before: () => SegmentEnd,
  known: Known,
): { tail: Tail; repair: Repair } {
  const goOn = (end: SegmentEnd): Tail =>
    createSegment(ports, layout, manifest, {
      ...end,
      // Never the name of a segment that is there.
      firstSeq: Math.max(end.seq, file.firstSeq) + 1,
      flags: SEGMENT_FLAG.afterDamage,
    });
  const segment = segmentName(file);
  const found = openSegment(ports, file) ?? new Segment(ports, file);
  const { bytes, header, mended } = found;
  if (isSkipped(header)) throw newerFormat(file.path, 'this segment');
  if (header === undefined) {
    // The count is lost with the header, and a seq that something refers to must not be given again.
    const possible = file.firstSeq - 1 + framesAtMost(ports.fs.fstat(fd).size);
    const end = before();
    const seq = Math.max(end.seq, known.syncedUpto, possible);
    const repair = { kind: 'bad-header' as const, segment, offset: 0, bytes: bytes.length };
    return { tail: goOn({ ...end, seq }), repair };
  }
  const isAfterReboot = known.isAfterReboot && !mended;
  const scan = scanTail(found, { ...known, isAfterReboot });
  const end = endOf(scan, header);
  const { claimed } = scan;
  if (mended) {
    const repair = { kind: 'bad-header' as const, segment, offset: 0, bytes: SEGMENT_HEADER_BYTES };
    return { tail: goOn({ ...end, seq: Math.max(end.seq, claimed, scan.possible) }), repair };
  }
  const offset = scan.tornAt ?? bytes.length;
  const repair = { segment, offset, bytes: bytes.length - offset };
  if (end.seq < claimed)
    return {
      tail: goOn({ ...end, seq: Math.max(claimed, scan.possible) }),
      repair: { kind: 'lost-durable', ...repair },
    };
  // Unread bytes are not torn: cutting there would lose them.
  if (bytes.length !== ports.fs.fstat(fd).size) throw shortRead(file.path);
  const kept = keep(ports, layout, `${segment}.${offset}`, bytes.subarray(offset));
  const cut = { kind: 'torn-tail' as const, ...repair, kept };
  ports.fs.truncate(fd, offset);
  try {
    ports.fs.datasync(fd);
  } catch {
    // A later successful sync would mean nothing for this file: go on in a new one.
    return { tail: goOn(end), repair: cut };
  }
  // What is left ends with a whole frame, or with the header.
  return { tail: readTail(ports, fd, file.path)!, repair: cut };
}

const shortRead = (path: string): Error =>
  Object.assign(new Error(`${path} could not be read to its end`), { code: 'EIO' });

/**
 * A disk may keep a later unsynced event and lose an earlier one. What stands behind such a hole goes with it, or the hole
 * would stay for ever.
 */
function scanTail(segment: Segment, { syncedUpto, isAfterReboot }: Known): TailScan {
  const items = [...segment.frames()];
  // A frame can only know of frames before it.
  const claims = items.map(({ entry }) =>
    entry === undefined ? 0 : Math.min(entry.syncedUpto, entry.seq - 1),
  );
  const claimed = claims.reduce((most, claim) => Math.max(most, claim), syncedUpto);
  const scan: TailScan = {
    last: undefined,
    tornAt: undefined,
    isHole: false,
    claimed,
    possible: 0,
  };
  for (const { entry, damage } of items) {
    if (entry !== undefined) {
      scan.last = entry;
      scan.tornAt = undefined;
      continue;
    }
    scan.tornAt ??= damage.offset;
    scan.possible = Math.max(scan.possible, possibleIn(damage));
    scan.isHole = isAfterReboot && damage.firstSeq !== null && damage.firstSeq > claimed;
    if (scan.isHole) return { ...scan, tornAt: damage.offset };
  }
  return scan;
}

function possibleIn({ firstSeq, lastSeq, bytes }: Damage): number {
  if (lastSeq !== null || firstSeq === null) return lastSeq ?? 0;
  return firstSeq - 1 + framesAtMost(SEGMENT_HEADER_BYTES + bytes);
}

function endOf({ last }: TailScan, header: SegmentHeader): SegmentEnd {
  if (last === undefined)
    return { seq: header.firstSeq - 1, hlc: header.baseHlc, chain: header.prevChain };
  return { seq: last.seq, hlc: last.hlc, chain: Buffer.from(last.chain) };
}

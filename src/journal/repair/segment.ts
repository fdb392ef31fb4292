import type { Decoders } from '../../platform/codecs/codecs.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import { type Layout, type SegmentFile, segmentName, segmentPath } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { openSegment, Segment } from '../read/open.ts';
import type { Damage } from '../read/scan.ts';
import { isSameEntry, wholeOf } from '../read/whole.ts';
import type { Damaged } from '../verify/verify.ts';
import { whatOfStranger } from './by-hand.ts';
import { lastSeqIn, segmentIn } from './files.ts';
import { isForeign, rebuildHeader } from './header.ts';
import { withoutOverlap } from './overlap.ts';
import { GONE, type RepairItem, type SegmentRepair } from './piece.ts';
import { mendRaw, repairRaw } from './raw.ts';
import { BAD_DISK, isClosed, isRefused, refusedItem } from './refused.ts';
import { repairSealed } from './sealed.ts';

/** A damaged segment, and what is around it. */
export interface Patient {
  file: SegmentFile;
  journalId: string;
  /** First seq of the next segment, by its name; infinite if there is none. */
  end: number;
  /** The same of the next readable segment, which holds the events from there on. */
  readEnd: number;
  /** Chain of the event before the segment's first one; undefined if unknown. */
  chainBefore: Buffer | undefined;
  /** The last readable event of the segments before it. */
  readBefore(): number;
}

/** Damage that may mean that the segment repeats seqs. */
const isOverlap = ({ kind, offset, lastSeq }: Damaged): boolean =>
  kind === 'chain' && offset === 0 && lastSeq === null;

/** What happens to a segment. */
export type Treatment =
  | { how: 'rewrite'; repair: SegmentRepair }
  /** The file goes to quarantine as it is. */
  | { how: 'set-aside'; items: RepairItem[] }
  | { how: 'leave'; items: RepairItem[] };

/**
 * How a damaged segment can be repaired. Changes nothing.
 * @param damage found in it; another repair may have mended it since
 */
export function treat(
  ports: JournalPorts,
  layout: Layout,
  patient: Patient,
  damage: readonly Damaged[],
  decoders: Decoders,
): Treatment {
  const { file } = patient;
  const closed = damage.filter(isRefused).filter(isClosed);
  if (closed.length > 0) return { how: 'leave', items: closed.map(refusedItem) };
  const segment = segmentName(file);
  const stored = openSegment(ports, file) ?? new Segment(ports, file);
  const { bytes } = stored;
  const whole = { segment, offset: 0, bytes: bytes.length, firstSeq: null, lastSeq: null };
  const header = headerOf(ports, patient, stored);
  const read = new Segment(ports, file, bytes, header);
  if (file.sealed && hasWholeTwin(ports, layout, read, decoders)) {
    const what = 'the raw segment that it was made from is whole, and takes its place';
    return { how: 'set-aside', items: [{ ...whole, kind: 'index', action: 'restore', what }] };
  }
  if (header === undefined) return withoutHeader(ports, layout, patient, bytes, damage);
  const readBefore = damage.some(isOverlap) ? patient.readBefore() : 0;
  if (readBefore >= header.firstSeq) {
    const overlap = withoutOverlap(ports, read, readBefore, decoders);
    if (overlap !== undefined) return { how: 'rewrite', repair: overlap };
  }
  const repair = file.sealed
    ? repairSealed(ports, read, damage, patient.readEnd, decoders)
    : repairRaw(ports, read, patient);
  const first = repair.pieces[0];
  repair.items.push(...goneBehind(ports, segment, repair, damage, patient.readEnd));
  const isSame = repair.pieces.length === 1 && first?.bytes.equals(bytes) === true;
  if (isSame || repair.items.some(({ action }) => action === 'none'))
    return { how: 'leave', items: isSame ? editedItems(segment, damage) : repair.items };
  const isHeaderNew = !encodeSegmentHeader(header, ports.xxh64).equals(headOf(bytes));
  return {
    how: 'rewrite',
    repair: isHeaderNew ? withHeader(repair, segment, stored, header) : repair,
  };
}

/** Lost events at the segment's end that neither the parts nor the removed places account for. */
function goneBehind(
  ports: JournalPorts,
  segment: string,
  { pieces, items }: SegmentRepair,
  damage: readonly Damage[],
  readEnd: number,
): RepairItem[] {
  const isOpen = items.some((item) => item.firstSeq !== null && item.lastSeq === null);
  const ends = pieces.map(({ bytes }) => lastSeqIn(segmentIn(ports, bytes)));
  const reached = Math.max(...ends, ...items.map(({ lastSeq }) => lastSeq ?? 0));
  const told = Math.max(...damage.map(({ lastSeq }) => lastSeq ?? 0));
  const lastSeq = Math.min(told, readEnd - 1);
  if (pieces.length === 0 || isOpen || lastSeq <= reached) return [];
  const lost = { firstSeq: reached + 1, lastSeq };
  const place = { segment, kind: 'missing', offset: 0, bytes: 0 };
  return [{ ...place, ...lost, action: 'record', what: GONE }];
}

/**
 * Mends the header and flipped bits of the newest segment, before an append treats them as lost. Changes nothing.
 * @returns undefined if nothing can be mended
 */
export function mend(ports: JournalPorts, patient: Patient): SegmentRepair | undefined {
  const { file } = patient;
  const stored = openSegment(ports, file);
  if (stored === undefined || file.sealed) return undefined;
  const { bytes } = stored;
  const header = headerOf(ports, patient, stored);
  if (header === undefined) return undefined;
  const segment = segmentName(file);
  const { mended, items, removed } = mendRaw(ports, segment, bytes, header);
  if (mended.equals(bytes)) return undefined;
  const repair = { items, pieces: [{ firstSeq: file.firstSeq, bytes: mended }], removed };
  return headOf(mended).equals(headOf(bytes))
    ? repair
    : withHeader(repair, segment, stored, header);
}

/** The header as read, or rebuilt; undefined if it is lost. */
function headerOf(
  ports: JournalPorts,
  patient: Patient,
  { bytes, header }: Segment,
): SegmentHeader | undefined {
  if (header !== undefined) return header;
  return isForeign(bytes, patient, ports.xxh64)
    ? undefined
    : rebuildHeader(bytes, patient, ports.xxh64);
}

const headOf = (bytes: Buffer): Buffer => bytes.subarray(0, SEGMENT_HEADER_BYTES);

function withHeader(
  { items, pieces, removed }: SegmentRepair,
  segment: string,
  { bytes, header: wasRead }: Segment,
  { firstSeq }: SegmentHeader,
): SegmentRepair {
  const place = { segment, kind: 'segment-header', offset: 0, bytes: SEGMENT_HEADER_BYTES };
  const item: RepairItem = {
    ...place,
    firstSeq: null,
    lastSeq: null,
    action: wasRead === undefined ? 'rebuild' : 'mend',
    what:
      wasRead === undefined
        ? `the header is rebuilt from the segments around it: events from @${firstSeq} on can be read again`
        : 'a flipped bit in the header is corrected: nothing is lost',
  };
  const isOnlyIndex = items.length === 1 && items[0]!.action === 'rebuild';
  return {
    items: [item, ...(isOnlyIndex ? [] : items)],
    pieces,
    removed: [{ offset: 0, bytes: headOf(bytes) }, ...removed],
  };
}

function withoutHeader(
  ports: JournalPorts,
  layout: Layout,
  { file }: Patient,
  bytes: Buffer,
  damage: readonly Damaged[],
): Treatment {
  const refused = damage.find(isRefused);
  // Verify knows which of its events can be read elsewhere, and how far the journal was synced.
  const { firstSeq, lastSeq } = damage.find(({ kind }) => kind === 'segment-header') ?? {
    firstSeq: file.firstSeq,
    lastSeq: null,
  };
  const place = { segment: segmentName(file), offset: 0, bytes: bytes.length };
  const lost = { ...place, kind: 'segment-header', firstSeq, lastSeq };
  const stat = ports.fs.statIfThere(file.path);
  // It may have been readable before: its content is still there.
  const isSegment = stat?.isFile === true && stat.size > 0 && stat.size <= SEGMENT_BYTES_MAX;
  if (isSegment && bytes.length === 0) {
    const left = { ...lost, action: 'none', what: BAD_DISK } as const;
    return { how: 'leave', items: [refused === undefined ? left : refusedItem(refused)] };
  }
  const what =
    stat?.isFile === false
      ? `${stat.isSymbolicLink ? 'a symbolic link, which is not followed,' : 'something that is no file'} is in its place, and is set aside. To keep its events, put the file itself back before you repair`
      : (whatOfStranger(ports, layout, file) ??
        'nothing proves that it belongs to this journal: the whole file is set aside');
  return { how: 'set-aside', items: [{ ...lost, action: 'set-aside', what }] };
}

/** Items for a segment whose checksums are all right. */
function editedItems(segment: string, damage: readonly Damage[]): RepairItem[] {
  if (!damage.some(({ kind }) => kind === 'chain' || kind === 'commit')) return [];
  const what =
    'all its events can be read, but were edited or come from another history: it is left as it is';
  const place = { segment, offset: 0, bytes: 0, firstSeq: null, lastSeq: null };
  return [{ ...place, kind: 'chain', action: 'none', what }];
}

/**
 * Whether the raw form of a damaged sealed segment is whole and holds everything readable in it. One from a backup may lack later
 * events, or hold erased ones.
 */
function hasWholeTwin(
  ports: JournalPorts,
  layout: Layout,
  sealed: Segment,
  decoders: Decoders,
): boolean {
  const { file } = sealed;
  const path = segmentPath(layout, file.origin, file.firstSeq, false);
  const raw = openSegment(ports, { ...file, sealed: false, path });
  const twin = raw && wholeOf(raw, decoders)?.entries;
  if (twin === undefined) return false;
  const bySeq = new Map(twin.map((entry) => [entry.seq, entry]));
  const isInTwin = (entry: Entry): boolean => {
    const own = bySeq.get(entry.seq);
    return own !== undefined && own.kind === entry.kind && isSameEntry(own, entry);
  };
  const items = [...sealed.entries(decoders)];
  return items.every(({ entry }) => entry === undefined || isInTwin(entry));
}

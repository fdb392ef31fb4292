import { readBigU64 } from '../format/bytes.ts';
import { HASH_BYTES, SEGMENT_FLAG } from '../format/format.ts';
import type { Hlc } from '../format/hlc.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Refused } from '../read/refused.ts';

/** A file that takes the place of a damaged segment, or of a part of it. */
export interface Piece {
  firstSeq: number;
  bytes: Buffer;
}

/** What a repair does about one damage. */
export type RepairAction =
  /** One bit, or what stands around an event: put right, nothing is lost. */
  | 'mend'
  /** A segment's header or a sealed segment's index is made anew from what stands around it. */
  | 'rebuild'
  /** Bytes that nobody can read are taken out; the events in them are recorded as lost. */
  | 'cut'
  /** The segment as it was before it was sealed is still there and takes its place. */
  | 'restore'
  /** A whole file goes to quarantine. */
  | 'set-aside'
  /** Nothing can be changed for the better: that the events are lost is recorded. */
  | 'record'
  /** Nothing is done: see why. */
  | 'none';

/** One damaged place, and what is done about it. */
export interface RepairItem {
  /** A file's name, as `verify` gives it. */
  segment: string;
  kind: string;
  offset: number;
  bytes: number;
  /** Events that cannot be had back from the journal; null where none is lost or nobody can say. */
  firstSeq: number | null;
  lastSeq: number | null;
  action: RepairAction;
  /** Of what is done, in one sentence without its full stop; what a person is to run stands at its end, behind `RUN`. */
  what: string;
  /** Where the file is there and was not given. */
  refused?: Refused;
}

/** Before a command, which has a line of its own: broken into lines it would be another one. */
export const RUN = '\n  ';

/** Of events that are in no file. */
export const GONE = 'these events are gone: that is recorded';

/** How one segment is repaired. */
export interface SegmentRepair {
  items: RepairItem[];
  /** What takes the segment's place, in rising order of seq. The first one has its name if it begins with its first seq. */
  pieces: Piece[];
  /** Stretches of the old file that are not in the pieces as they were. */
  removed: { offset: number; bytes: Buffer }[];
}

export const UNKNOWN_CHAIN = Buffer.alloc(HASH_BYTES);

/**
 * The header of a part that begins behind lost events.
 * @param prevChain zeros where the chain of the event before is lost with it
 */
export function headerBehindDamage(
  ports: JournalPorts,
  header: SegmentHeader,
  firstSeq: number,
  baseHlc: Hlc,
  prevChain: Buffer,
): SegmentHeader {
  const salt = Buffer.alloc(8);
  ports.random.fill(salt);
  const flags = header.flags | SEGMENT_FLAG.afterDamage;
  return { ...header, flags, firstSeq, baseHlc, prevChain, salt: readBigU64(salt, 0) };
}

import { readBigU64 } from '../format/bytes.ts';
import { HASH_BYTES, SEGMENT_FLAG } from '../format/format.ts';
import type { Hlc } from '../format/hlc.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Refused } from '../read/refused.ts';

/** A file that replaces a damaged segment, or part of one. */
export interface Piece {
  firstSeq: number;
  bytes: Buffer;
}

/** What a repair does about damage. */
export type RepairAction =
  /** A flipped bit, or bytes around an event, are corrected: nothing is lost. */
  | 'mend'
  /** A header or index is rebuilt. */
  | 'rebuild'
  /** Unreadable bytes are removed, and their events recorded as lost. */
  | 'cut'
  /** The raw form of a sealed segment is still there and takes its place. */
  | 'restore'
  /** A whole file goes to quarantine. */
  | 'set-aside'
  /** The events are only recorded as lost. */
  | 'record'
  /** Nothing is done; `what` says why. */
  | 'none';

/** One damaged place, and what is done about it. */
export interface RepairItem {
  /** A file's name, as `verify` gives it. */
  segment: string;
  kind: string;
  offset: number;
  bytes: number;
  /** Lost events; null if none is lost, or it is unknown. */
  firstSeq: number | null;
  lastSeq: number | null;
  action: RepairAction;
  /** One sentence without its full stop; a command to run comes last, after `RUN`. */
  what: string;
  /** Set if the file is there but may not be read. */
  refused?: Refused;
}

/** Comes before a command, which stays on a line of its own. */
export const RUN = '\n  ';

/** For events that are in no file. */
export const GONE = 'these events are missing: they are recorded as lost';

/** How one segment is repaired. */
export interface SegmentRepair {
  items: RepairItem[];
  /** The parts that replace the segment, rising. A part that begins with the segment's first seq gets its name. */
  pieces: Piece[];
  /** Bytes of the old file that are not in the parts. */
  removed: { offset: number; bytes: Buffer }[];
}

export const UNKNOWN_CHAIN = Buffer.alloc(HASH_BYTES);

/**
 * The header of a part that begins after lost events.
 * @param prevChain zeros if the chain before is lost, too
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

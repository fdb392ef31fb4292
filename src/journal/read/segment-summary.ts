import { errno } from '../../platform/errors.ts';
import { END_BYTES, readTail } from '../append/tail.ts';
import { decodeFooter } from '../format/footer.ts';
import { FOOTER_BYTES, SEGMENT_BYTES_MAX, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { isSkipped, readSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isAtHome, unreadable } from './open.ts';
import type { JournalReader } from './reader.ts';
import { isPassedBy } from './refused.ts';
import { oneRoom } from './room.ts';
import { indexBytes, listedChunks } from './sealed.ts';

/** Events that ought to be there and are not, or that nobody can read. */
export interface MissingEvents {
  firstSeq: number;
  /** Null when nobody can say how far it reaches. */
  lastSeq: number | null;
  /** The file that cannot be read, or the one before which something is missing; null at the end of the journal. */
  segment: string | null;
}

/** A journal by the first and last bytes of its segments. */
export interface SegmentSummary {
  /** That its segments hold. Damage between a segment's ends does not show: `verify.ts` looks at every byte. */
  events: number;
  /** Both 0 when there are no events. */
  firstSeq: number;
  lastSeq: number;
  missing: MissingEvents[];
  /** Names of files that are not the segments that they are called, and in whose place no event is missing. */
  strangers: string[];
}

/** Beside a compaction a listing may miss a segment; several in a row do not (as in `reader.ts`). */
const LOOKS_MAX = 4;

/** How many of the first segments are known to hold all that is between their names. */
export type KnownWhole = (files: readonly SegmentFile[]) => number;

/**
 * What a journal has, and what is missing in it: two or three short reads a segment. Only a segment whose end cannot be believed
 * is read, as far as it can be.
 * @param knownWhole which need not be looked into
 * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN, FS_PERMISSION_DENIED; Node's error when a file cannot be read otherwise
 */
export function segmentSummaryOf(
  ports: JournalPorts,
  reader: JournalReader,
  knownWhole: KnownWhole = () => 0,
): SegmentSummary {
  let segmentSummary = look(ports, reader, knownWhole);
  for (let n = 1; n < LOOKS_MAX && segmentSummary.missing.length > 0; n += 1)
    segmentSummary = look(ports, reader, knownWhole);
  return segmentSummary;
}

function look(ports: JournalPorts, reader: JournalReader, knownWhole: KnownWhole): SegmentSummary {
  const origin = reader.origin();
  // Before the listing that counts: the journal must reach at least as far as it was synced then.
  const synced =
    origin === undefined ? undefined : readHint(ports, hintPath(reader.layout, origin)).syncedUpto;
  const files = reader.segments();
  const segmentSummary: SegmentSummary = {
    events: 0,
    firstSeq: 0,
    lastSeq: 0,
    missing: [],
    strangers: [],
  };
  /** The highest seq that is there or told of as missing. */
  let reached = 0;
  const whole = knownWhole(files);
  for (const [index, file] of files.entries()) {
    const { firstSeq } = file;
    if (firstSeq > reached + 1) {
      const lost = { firstSeq: reached + 1, lastSeq: firstSeq - 1 };
      segmentSummary.missing.push({ ...lost, segment: segmentName(file) });
    }
    reached = Math.max(reached, firstSeq - 1);
    const next = files[index + 1]?.firstSeq;
    const isWhole = index < whole && next !== undefined;
    const held = isWhole
      ? { events: next - firstSeq, lastSeq: next - 1 }
      : heldBy(ports, reader, file, next);
    if (held === undefined) {
      const upto = next === undefined ? synced : next - 1;
      const lastSeq = upto !== undefined && upto >= firstSeq ? upto : null;
      // Of a file that bears a name inside another segment's seqs, those that were read are not lost.
      const from = Math.max(firstSeq, reached + 1);
      const segment = segmentName(file);
      if (lastSeq !== null && from > lastSeq) segmentSummary.strangers.push(segment);
      else segmentSummary.missing.push({ firstSeq: from, lastSeq, segment });
      reached = Math.max(reached, lastSeq ?? 0);
    } else if (held.events > 0) {
      segmentSummary.events += held.events;
      segmentSummary.firstSeq ||= firstSeq;
      segmentSummary.lastSeq = held.lastSeq;
      reached = Math.max(reached, held.lastSeq);
    }
  }
  if (synced !== undefined && synced > reached)
    segmentSummary.missing.push({ firstSeq: reached + 1, lastSeq: synced, segment: null });
  return segmentSummary;
}

/** What a segment holds. */
interface Held {
  events: number;
  lastSeq: number;
}

/** Undefined when its header is lost or says that it belongs somewhere else: then nothing in it can be read. */
function heldBy(
  ports: JournalPorts,
  reader: JournalReader,
  file: SegmentFile,
  next: number | undefined,
): Held | undefined {
  const opened = open(ports, file);
  if (opened === undefined) return undefined;
  const { fd, path, sealed } = opened;
  let ends: Held | undefined;
  try {
    const { size, isFile } = ports.fs.fstat(fd);
    if (!isFile || size > SEGMENT_BYTES_MAX) return undefined;
    const bytes = readAt(ports, fd, 0, Math.min(size, SEGMENT_HEADER_BYTES));
    const header = readSegmentHeader(bytes, path, ports.xxh64)?.header;
    if (header === undefined || !isAtHome(header, { ...file, sealed })) return undefined;
    if (isSkipped(header)) return { events: 0, lastSeq: 0 };
    ends = sealed ? byIndex(ports, fd, size, header) : byTail(ports, fd, path);
  } catch (error) {
    if (!isPassedBy(ports, path, error)) throw error;
    return undefined;
  } finally {
    ports.fs.close(fd);
  }
  return ends ?? byReading(reader, file.firstSeq, next);
}

/** The file, or its sealed form when it has been sealed since it was listed. */
function open(
  ports: JournalPorts,
  file: SegmentFile,
): { fd: number; path: string; sealed: boolean } | undefined {
  const sealed = { path: `${file.path}z`, sealed: true };
  for (const one of file.sealed ? [file] : [file, sealed]) {
    try {
      return { fd: ports.fs.open(one.path, 'r'), path: one.path, sealed: one.sealed };
    } catch (error) {
      if (isPassedBy(ports, one.path, error)) return undefined;
      if (!NOT_TO_BE_OPENED.has(errno(error))) throw unreadable(ports, error, one.path);
    }
  }
  return undefined;
}

/** It is gone, or something else is in its place, or the disk is bad. */
const NOT_TO_BE_OPENED = new Set<string | undefined>(['ENOENT', 'ELOOP', 'EIO', 'ENXIO']);

/** By the index, which the footer finds: a footer has no salt, and may be another segment's. */
function byIndex(
  ports: JournalPorts,
  fd: number,
  size: number,
  header: SegmentHeader,
): Held | undefined {
  const end = Math.max(0, size - FOOTER_BYTES);
  const footer = decodeFooter(readAt(ports, fd, end, FOOTER_BYTES), ports.xxh64);
  if (footer === undefined || footer.indexOffset + indexBytes(footer) > end) return undefined;
  const index = readAt(ports, fd, footer.indexOffset, indexBytes(footer));
  const chunks = listedChunks(index, header, footer, ports.xxh64);
  if (chunks === undefined) return undefined;
  const events = chunks.reduce((sum, { count }) => sum + count, 0);
  return { events, lastSeq: header.firstSeq + events - 1 };
}

function byTail(ports: JournalPorts, fd: number, path: string): Held | undefined {
  const tail = readTail(ports, fd, path, END_BYTES);
  return tail && { events: tail.seq - tail.header.firstSeq + 1, lastSeq: tail.seq };
}

function byReading(reader: JournalReader, from: number, next = Number.MAX_SAFE_INTEGER): Held {
  const held: Held = { events: 0, lastSeq: 0 };
  for (const { entry } of reader.entries(from, next - 1, oneRoom())) {
    if (entry === undefined) continue;
    held.events += 1;
    held.lastSeq = entry.seq;
  }
  return held;
}

function readAt(ports: JournalPorts, fd: number, position: number, bytes: number): Buffer {
  const into = Buffer.allocUnsafe(bytes);
  return into.subarray(0, ports.fs.read(fd, into, position));
}

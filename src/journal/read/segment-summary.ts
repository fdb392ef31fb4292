import { errno } from '../../platform/errors.ts';
import { END_BYTES } from '../append/tail.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { isSkipped } from '../format/segment.ts';
import { openHead } from './headers.ts';
import { isAtHome, sealedForm } from './open.ts';
import type { JournalReader } from './reader.ts';
import { oneRoom } from './room.ts';
import { tailOf } from './segment-end.ts';
import { indexOf } from './windows.ts';

/** Events that are missing or cannot be read. */
export interface MissingEvents {
  firstSeq: number;
  /** Null if unknown. */
  lastSeq: number | null;
  /** The unreadable file, or the file before which events are missing; null at the end of the journal. */
  segment: string | null;
}

/** What a journal holds, by the first and last bytes of its segments. */
export interface SegmentSummary {
  /** Damage within a segment does not show here: only `verify` reads every byte. */
  events: number;
  /** Both 0 if there are no events. */
  firstSeq: number;
  lastSeq: number;
  missing: MissingEvents[];
  /** Files that are not the segment of their name, although no event is missing there. */
  strangers: string[];
}

/** A listing during a compaction may miss a segment; several in a row do not (as in `reader.ts`). */
const LOOKS_MAX = 4;

/** How many of the first segments are known to be whole. */
export type KnownWhole = (files: readonly SegmentFile[]) => number;

/**
 * What a journal holds and what is missing in it, by two or three short reads a segment. Only a segment with a damaged end is
 * read as a whole.
 * @param knownWhole segments to skip
 * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN, FS_PERMISSION_DENIED; Node's error when a file cannot be read otherwise
 */
export function segmentSummaryOf(
  ports: JournalPorts,
  reader: JournalReader,
  knownWhole: KnownWhole = () => 0,
): SegmentSummary {
  let summary = look(ports, reader, knownWhole);
  for (let n = 1; n < LOOKS_MAX && summary.missing.length > 0; n += 1)
    summary = look(ports, reader, knownWhole);
  return summary;
}

function look(ports: JournalPorts, reader: JournalReader, knownWhole: KnownWhole): SegmentSummary {
  const origin = reader.origin();
  // Read before the listing: the journal must reach at least as far as it was synced.
  const synced =
    origin === undefined ? undefined : readHint(ports, hintPath(reader.layout, origin)).syncedUpto;
  const files = reader.segments();
  const summary: SegmentSummary = {
    events: 0,
    firstSeq: 0,
    lastSeq: 0,
    missing: [],
    strangers: [],
  };
  /** The highest seq that is there or reported as missing. */
  let reached = 0;
  const whole = knownWhole(files);
  for (const [index, file] of files.entries()) {
    const { firstSeq } = file;
    if (firstSeq > reached + 1) {
      const lost = { firstSeq: reached + 1, lastSeq: firstSeq - 1 };
      summary.missing.push({ ...lost, segment: segmentName(file) });
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
      // Its name may lie within another segment's seqs, whose events are not lost.
      const from = Math.max(firstSeq, reached + 1);
      const segment = segmentName(file);
      if (lastSeq !== null && from > lastSeq) summary.strangers.push(segment);
      else summary.missing.push({ firstSeq: from, lastSeq, segment });
      reached = Math.max(reached, lastSeq ?? 0);
    } else if (held.events > 0) {
      summary.events += held.events;
      summary.firstSeq ||= firstSeq;
      summary.lastSeq = held.lastSeq;
      reached = Math.max(reached, held.lastSeq);
    }
  }
  if (synced !== undefined && synced > reached)
    summary.missing.push({ firstSeq: reached + 1, lastSeq: synced, segment: null });
  return summary;
}

/** What a segment holds. */
interface Held {
  events: number;
  lastSeq: number;
}

/** Undefined if its header is lost or another segment's: nothing in it can be read then. */
function heldBy(
  ports: JournalPorts,
  reader: JournalReader,
  file: SegmentFile,
  next = Number.MAX_SAFE_INTEGER,
): Held | undefined {
  const ends = heldByEnds(ports, file);
  if (ends !== undefined) return ends;
  const head =
    openHead(ports, file) ?? (file.sealed ? undefined : openHead(ports, sealedForm(file)));
  if (head?.header === undefined) return undefined;
  const held: Held = { events: 0, lastSeq: 0 };
  if (isSkipped(head.header)) return held;
  for (const { entry } of reader.entries(file.firstSeq, next - 1, oneRoom())) {
    if (entry === undefined) continue;
    held.events += 1;
    held.lastSeq = entry.seq;
  }
  return held;
}

/** The same by its first and last bytes; undefined if they are damaged or cannot be read. */
export function heldByEnds(ports: JournalPorts, file: SegmentFile): Held | undefined {
  const { firstSeq } = file;
  if (file.sealed) {
    const events = indexOf(ports, file)?.chunks.reduce((sum, { count }) => sum + count, 0);
    return events === undefined ? undefined : { events, lastSeq: firstSeq + events - 1 };
  }
  try {
    const tail = tailOf(ports, file, END_BYTES);
    if (tail === undefined || !isAtHome(tail.header, file)) return undefined;
    return { events: tail.seq - firstSeq + 1, lastSeq: tail.seq };
  } catch (error) {
    // Whoever opens the whole segment learns what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

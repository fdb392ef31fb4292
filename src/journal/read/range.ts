import type { JournalPorts } from '../format/ports.ts';
import type { JournalReader } from './reader.ts';
import { oneRoom } from './room.ts';
import { heldByEnds } from './segment-summary.ts';

/** Which events a journal has: all from the first to the last have a seq. Both 0 when there are none. */
export interface JournalRange {
  first: number;
  last: number;
}

/** Found by the ends of the segments; only a segment whose end cannot be believed is read. */
export function journalRange(ports: JournalPorts, reader: JournalReader): JournalRange {
  const segments = reader.segments();
  for (const segment of segments.toReversed()) {
    // What an index lists may still be damaged.
    const tail = segment.sealed ? undefined : heldByEnds(ports, segment);
    const last = tail?.lastSeq ?? lastReadable(reader, segment.firstSeq);
    if (last >= segment.firstSeq) return { first: segments[0]!.firstSeq, last };
  }
  return { first: 0, last: 0 };
}

function lastReadable(reader: JournalReader, from: number): number {
  let last = 0;
  for (const { entry } of reader.entries(from, undefined, oneRoom()))
    if (entry !== undefined) last = entry.seq;
  return last;
}

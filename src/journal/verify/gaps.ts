import type { Hash64 } from '../../platform/xxh64.ts';
import { REPAIRED_TYPE } from '../append/own-events.ts';
import { decodeEnvelope, typeTag } from '../format/envelope.ts';
import { FRAME_KIND } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { JournalReader } from '../read/reader.ts';
import { oneRoom } from '../read/room.ts';
import type { Damage } from '../read/scan.ts';

/** Version of `journal.repaired` events that record losses. Version 1 is about what an append had to recover. */
export const LOSSES_VERSION = 2;

/** A loss that a repair recorded. */
export interface RecordedLoss {
  /** A segment's name, or `blobs/` and a blob's name. */
  segment: string;
  firstSeq: number | null;
  lastSeq: number | null;
  /** Seq of the event that records it. */
  recordedAt: number;
}

/** Losses that repairs recorded. They are reported, but no longer count as damage. */
export class RecordedLosses {
  readonly all: RecordedLoss[] = [];
  readonly #tag: number;

  constructor(xxh64: Hash64) {
    this.#tag = typeTag(REPAIRED_TYPE, xxh64);
  }

  note(entry: Entry): void {
    if (entry.typeTag !== this.#tag || entry.kind !== FRAME_KIND.event) return;
    try {
      const { type, version, data } = decodeEnvelope(entry.payload);
      if (type !== REPAIRED_TYPE || version !== LOSSES_VERSION) return;
      const { lost } = data as { lost?: unknown };
      for (const one of Array.isArray(lost) ? lost : []) {
        const { segment, firstSeq, lastSeq } = (one ?? {}) as Partial<RecordedLoss>;
        if (typeof segment !== 'string' || !isRange(firstSeq, lastSeq, entry.seq)) continue;
        const range = { firstSeq: firstSeq ?? null, lastSeq: lastSeq ?? null };
        this.all.push({ segment, ...range, recordedAt: entry.seq });
      }
    } catch {
      // No envelope, or not one that ben10 writes.
    }
  }

  /** Whether all of this damage was recorded as lost, which is possible only for what is missing. */
  covers({ kind, segment, firstSeq, lastSeq }: Damage & { segment: string }): boolean {
    if (kind === 'blob') return this.all.some((one) => one.segment === segment);
    if (kind !== 'missing' || firstSeq === null || lastSeq === null) return false;
    let next = firstSeq;
    // Events that refer to a lost blob are still there.
    const byFirst = this.all.filter((one) => one.firstSeq !== null && !isText(one));
    for (const one of byFirst.sort((a, b) => a.firstSeq! - b.firstSeq!))
      if (one.firstSeq! <= next) next = Math.max(next, one.lastSeq! + 1);
    return next > lastSeq;
  }
}

/** A blob is lost, not the events that refer to it. */
export const isText = ({ segment }: Pick<RecordedLoss, 'segment'>): boolean =>
  segment.startsWith('blobs/');

/** No seqs, or a range before the event that records it. */
function isRange(first: unknown, last: unknown, before: number): boolean {
  if (first === null && last === null) return true;
  return (
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    (first as number) >= 1 &&
    (first as number) <= (last as number) &&
    (last as number) < before
  );
}

/** All recorded losses. Reads the whole journal: call only if something is missing. */
export function recordedLosses(reader: JournalReader, xxh64: Hash64): RecordedLosses {
  const losses = new RecordedLosses(xxh64);
  for (const { entry } of reader.entries(undefined, undefined, oneRoom()))
    if (entry !== undefined) losses.note(entry);
  return losses;
}

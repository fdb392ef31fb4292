import { decodeEvent, headIn } from '../events/decode.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, PreferenceRetracted } from '../events/types.ts';
import type { EnvelopeHead } from '../journal/format/envelope.ts';
import { FRAME_KIND, ID_BYTES } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { IdSet } from '../journal/read/id-map.ts';
import type { JournalReader, ReadItem } from '../journal/read/reader.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Retraction } from '../projections/folds/retractions.ts';
import type { Bounds } from '../projections/session-table.ts';

/** All ids of a journal, or of a part of it, to compare transcripts with. One pass over the headers. */
export class JournalFacts {
  /** Ids from transcripts, of additions to facts, and of erased events, which must not come back. */
  readonly #traced = new IdSet();
  readonly #untraced = new IdSet();
  /** Those of `#traced` that do not count; none in a sound journal. Hex. */
  readonly #orphans = new Set<string>();
  /** True if recorded events are unreadable: then no cursor can be trusted. */
  readonly isDamaged: boolean;
  /** Retractions of all sessions. */
  readonly retractions: Retraction[] = [];

  /** @param within where to look; the whole journal by default */
  constructor(reader: JournalReader, within?: Bounds) {
    let isDamaged = false;
    const entries = () =>
      reader.entries(within && Math.max(1, within.first), within?.last, oneRoom());
    for (const { entry } of entries()) {
      if (entry === undefined) {
        isDamaged = true;
        continue;
      }
      const head = entry.kind === FRAME_KIND.tombstone ? undefined : headIn(entry.payload);
      if (head?.type === 'preference.retracted') this.#note(entry as Entry);
      const isTraced = entry.kind === FRAME_KIND.tombstone || isFromTranscript(head);
      (isTraced ? this.#traced : this.#untraced).add(entry.id);
    }
    this.isDamaged = isDamaged;
    // The index may be newer than the damage: then a part shows none of it.
    if (isDamaged || within !== undefined) this.#dropOrphans(entries());
  }

  #note(entry: Entry): void {
    const event = decodeEvent(entry);
    if (event === undefined || event.at === null || !hasShape(event)) return;
    const { key, text } = event.data as PreferenceRetracted;
    if (text !== undefined) this.retractions.push({ id: event.id, key, text, at: event.at });
  }

  /** An addition to a lost fact does not replace it: the transcript may bring the fact again. */
  #dropOrphans(entries: Iterable<ReadItem>): void {
    for (const { entry } of entries) {
      if (entry === undefined || headIn(entry.payload)?.type !== 'fact.enriched') continue;
      const event = decodeEvent(entry);
      if (event === undefined) continue;
      const { of } = event.data as FactEnriched;
      if (!this.isTraced(of) && !this.isReported(of)) this.#orphans.add(event.id);
    }
  }

  /** @param id hex, as in the others */
  isTraced(id: string): boolean {
    return this.#traced.has(bytesOf(id)) && !this.#orphans.has(id);
  }

  /** Reported by a hook; a transcript may have added to it since. */
  isReported(id: string): boolean {
    return this.#untraced.has(bytesOf(id));
  }

  settle(id: string): void {
    this.#traced.add(bytesOf(id));
    this.#orphans.delete(id);
  }
}

/** A malformed id matches none. */
function bytesOf(id: string): Buffer {
  const bytes = Buffer.from(id, 'hex');
  return bytes.length === ID_BYTES ? bytes : Buffer.alloc(ID_BYTES);
}

const isFromTranscript = (head: EnvelopeHead | undefined): boolean =>
  head?.source === 'transcript' || head?.source === 'import';

import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { WrittenEntries } from '../append/written.ts';
import { SUPERSEDED_TYPE, supersededIn } from '../erase/events.ts';
import { type Envelope, encodeEnvelope, typeTag } from '../format/envelope.ts';
import { FRAME_KIND } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { JournalReader, type ReadItem } from './reader.ts';
import { oneRoom, type Room } from './room.ts';

/** Of what stands for erased events, kept in memory, bytes: as much as one segment holds. */
export const PAYLOADS_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Reads an erased event as what stands for it now, at its own place and under its own id, so that every state is what it
 * was but for the erased text. What was erased as a whole stays a tombstone. What stands for an event always comes behind it
 * in the journal, so one look ahead finds it.
 */
export class SupersedingReader extends JournalReader {
  readonly #tag: number;
  /** By the erased event's seq, the seq of what stands for it: of all that lie from `#from` to `#upto`. */
  readonly #places = new Map<number, number>();
  #from: number | undefined;
  #upto = 0;
  /** By the seq of what stands for an event: some of them, the rest is read again. */
  readonly #payloads = new Map<number, Buffer>();
  #bytes = 0;

  constructor(ports: ReaderPorts, root: string, decoders: Decoders, written?: WrittenEntries) {
    super(ports, root, decoders, written);
    this.#tag = typeTag(SUPERSEDED_TYPE, ports.xxh64);
  }

  override *batches(from?: number, to?: number, room?: Room): Generator<ReadItem[]> {
    let isCurrent = false;
    for (const batch of super.batches(from, to, room)) {
      for (const [index, item] of batch.entries()) {
        const { entry, segment } = item;
        if (entry?.kind !== FRAME_KIND.tombstone) continue;
        if (!isCurrent) this.#lookAhead(entry.seq);
        isCurrent = true;
        const place = this.#places.get(entry.seq);
        const payload = place === undefined ? undefined : this.#payloadAt(place);
        if (payload !== undefined) batch[index] = { segment, entry: standingFor(entry, payload) };
      }
      yield batch;
    }
  }

  /** Takes in all that stands for an event from `seq` on, as far as the journal goes now. */
  #lookAhead(seq: number): void {
    if (this.#from === undefined) this.#upto = seq;
    else if (seq < this.#from) this.#take(seq + 1, this.#from - 1);
    this.#from = Math.min(this.#from ?? seq, seq);
    this.#upto = Math.max(this.#upto, this.#take(this.#upto + 1, Number.MAX_SAFE_INTEGER));
  }

  /** Returns the highest seq that was seen. */
  #take(from: number, to: number): number {
    let last = 0;
    for (const batch of super.batches(from, to, oneRoom())) {
      for (const { entry } of batch) {
        if (entry === undefined) continue;
        last = entry.seq;
        const found = this.#supersededIn(entry);
        if (found === undefined) continue;
        // Of several that stand for one event the last one counts.
        this.#places.set(found.seq, Math.max(last, this.#places.get(found.seq) ?? 0));
        this.#keep(last, found.event);
      }
    }
    return last;
  }

  #supersededIn(entry: Entry) {
    return entry.typeTag === this.#tag ? supersededIn(entry) : undefined;
  }

  /** False when there is no room. */
  #keep(place: number, event: Envelope): boolean {
    const payload = encodeEnvelope(event);
    if (this.#bytes > 0 && this.#bytes + payload.length > PAYLOADS_BYTES_MAX) return false;
    this.#payloads.set(place, payload);
    this.#bytes += payload.length;
    return true;
  }

  /** As many as there is room for. */
  #keepFrom(place: number): void {
    for (const batch of super.batches(place, undefined, oneRoom())) {
      for (const { entry } of batch) {
        const found = entry && this.#supersededIn(entry);
        if (found !== undefined && !this.#keep(entry!.seq, found.event)) return;
        // It was erased itself.
        if (this.#bytes === 0) return;
      }
    }
  }

  /** What stands for events lies in the order of those: who asks for one asks for the next ones then. */
  #payloadAt(place: number): Buffer | undefined {
    if (!this.#payloads.has(place)) {
      this.#payloads.clear();
      this.#bytes = 0;
      this.#keepFrom(place);
    }
    return this.#payloads.get(place);
  }
}

/** The erased event with what stands for it as its body. */
const standingFor = (tombstone: Entry, payload: Buffer): Entry => {
  const { flags, typeTag, seq, hlc, id, syncedUpto, salt, commit } = tombstone;
  const kind = FRAME_KIND.event;
  return { kind, flags, typeTag, seq, hlc, id, syncedUpto, salt, payload, commit };
};

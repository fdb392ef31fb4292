import type { Decoders } from '../platform/codecs/codecs.ts';
import { encodeEnvelope, typeTag } from './envelope.ts';
import { SUPERSEDED_TYPE, supersededIn } from './erase-events.ts';
import { FRAME_KIND } from './format.ts';
import type { ReaderPorts } from './ports.ts';
import { JournalReader, type ReadItem } from './reader.ts';

/**
 * Reads an erased event as what stands for it now, at its own place and under its own id, so that every state is what it
 * was but for the erased text. What was erased as a whole stays a husk. What stands for an event always comes behind it
 * in the journal, so one look ahead finds it.
 */
export class SupersedingReader extends JournalReader {
  readonly #tag: number;
  /** Payloads by the erased event's seq: of all that stand for one and lie from `#from` to `#upto`. */
  readonly #payloads = new Map<number, Buffer>();
  #from: number | undefined;
  #upto = 0;

  constructor(ports: ReaderPorts, root: string, decoders: Decoders) {
    super(ports, root, decoders);
    this.#tag = typeTag(SUPERSEDED_TYPE, ports.xxh64);
  }

  override *entries(from = 1, to = Number.MAX_SAFE_INTEGER): Generator<ReadItem> {
    let isCurrent = false;
    for (const item of super.entries(from, to)) {
      const { entry } = item;
      if (entry?.kind !== FRAME_KIND.husk) {
        yield item;
        continue;
      }
      if (!isCurrent) this.#lookAhead(entry.seq);
      isCurrent = true;
      const payload = this.#payloads.get(entry.seq);
      if (payload === undefined) yield item;
      else yield { segment: item.segment, entry: { ...entry, kind: FRAME_KIND.event, payload } };
    }
  }

  /** Takes in all that stands for an event from `seq` on, as far as the journal goes now. */
  #lookAhead(seq: number): void {
    if (this.#from === undefined) this.#upto = seq;
    else if (seq < this.#from) {
      // Of several that stand for one event the last one counts.
      const known = [...this.#payloads];
      this.#take(seq + 1, this.#from - 1);
      for (const [of, payload] of known) this.#payloads.set(of, payload);
    }
    this.#from = Math.min(this.#from ?? seq, seq);
    this.#upto = Math.max(this.#upto, this.#take(this.#upto + 1, Number.MAX_SAFE_INTEGER));
  }

  /** Returns the highest seq that was seen. */
  #take(from: number, to: number): number {
    let last = 0;
    for (const { entry } of super.entries(from, to)) {
      last = entry?.seq ?? last;
      const found = entry?.typeTag === this.#tag ? supersededIn(entry) : undefined;
      if (found !== undefined) this.#payloads.set(found.seq, encodeEnvelope(found.event));
    }
    return last;
  }
}

import type { FactEnriched } from '../events/types.ts';
import { decodeEnvelope, encodeEnvelope, typeTag } from '../journal/envelope.ts';
import { erasedIds } from '../journal/erased-ids.ts';
import type { NewEvent } from '../journal/inbox.ts';
import { layoutOf } from '../journal/layout.ts';
import type { JournalPorts } from '../journal/ports.ts';
import { JournalReader } from '../journal/reader.ts';
import { type Appended, JournalWriter, type WriterOptions } from '../journal/writer.ts';
import type { Decoders } from '../platform/codecs/codecs.ts';
import { sinceErasure } from './since-erasure.ts';

/**
 * Keeps out what was erased: a transcript tells it again, and a journal that took it would hold the secret once more. A
 * husk's id counts as seen, however far back it stands.
 */
export class GuardedWriter extends JournalWriter {
  readonly #erased: () => ReadonlyMap<string, number>;
  readonly #enriched: number;

  /** @throws as `JournalWriter` */
  constructor(ports: JournalPorts, root: string, decoders: Decoders, options: WriterOptions) {
    super(ports, root, options);
    const layout = layoutOf(root);
    const reader = new JournalReader(ports, root, decoders);
    // Nothing was ever erased in nearly every journal.
    const none: ReadonlyMap<string, number> = new Map();
    this.#erased = sinceErasure(ports, layout, (epoch) =>
      epoch === 0 ? none : erasedIds(ports, layout, reader, epoch),
    );
    this.#enriched = typeTag('fact.enriched', ports.xxh64);
  }

  /** Asked with the lock held: whoever waited for it may have waited for an erasure. */
  protected override appendLocked(events: readonly NewEvent[]): Appended | undefined {
    return this.#guarded(events, (fresh) => super.appendLocked(fresh));
  }

  protected override spool(events: readonly NewEvent[]): Appended {
    const spoolAny = (fresh: readonly NewEvent[]): Appended =>
      fresh.length === 0 ? { seqs: [], written: 0, spooled: false } : super.spool(fresh);
    return this.#guarded(events, spoolAny)!;
  }

  #guarded(
    events: readonly NewEvent[],
    append: (fresh: readonly NewEvent[]) => Appended | undefined,
  ): Appended | undefined {
    const erased = this.#erased();
    if (erased.size === 0) return append(events);
    const known = events.map((event) => erased.get(event.id.toString('hex')));
    const fresh = events.filter((_, index) => known[index] === undefined);
    const done = append(fresh.map((one) => this.#bare(one, erased)));
    if (done === undefined || done.spooled) return done;
    const given = done.seqs.values();
    return { ...done, seqs: known.map((seq) => seq ?? given.next().value!) };
  }

  /** Of an erased fact a second witness may say where it stood, not what was in it. */
  #bare(event: NewEvent, erased: ReadonlyMap<string, number>): NewEvent {
    if (event.typeTag !== this.#enriched) return event;
    const envelope = decodeEnvelope(event.payload);
    const { more, ...data } = envelope.data as FactEnriched;
    if (more === undefined || !erased.has(data.of)) return event;
    const bare = { ...envelope, data };
    return { ...event, payload: encodeEnvelope(bare), envelope: bare };
  }
}

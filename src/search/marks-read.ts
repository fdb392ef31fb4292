import type { Mark } from './document.ts';
import type { ByteReader } from './packing.ts';

/** Where the marks of a session are, and whether it went back. */
interface Own {
  at: number;
  end: number;
  isRewound: boolean;
}

/** The marks of an index file, by session. There may be very many, and a search asks about few sessions: only theirs are read. */
export class MarksReader {
  readonly #section: () => ByteReader;
  readonly #strings: readonly (string | null)[];
  readonly #firstSeq: number;
  #sessions: Map<string | null, Own> | undefined;

  constructor(section: () => ByteReader, strings: readonly (string | null)[], firstSeq: number) {
    this.#section = section;
    this.#strings = strings;
    this.#firstSeq = firstSeq;
  }

  /** One session after the other. */
  all(): Mark[] {
    return [...this.#table().keys()].flatMap((session) => this.of(session));
  }

  /** In the order of the journal. */
  of(session: string | null): Mark[] {
    const { at = 0, end = 0 } = this.#table().get(session) ?? {};
    const marks: Mark[] = [];
    const from = this.#section();
    from.at = at;
    let seq = this.#firstSeq;
    while (!from.isAtEnd && from.at < end) {
      const has = from.byte();
      seq += from.varint();
      const mark: Mark = { seq, session, at: from.varint() };
      if (has & 1) mark.pos = from.varint();
      if (has & 2) mark.rewoundTo = from.varint() - 1;
      if (has & 4) mark.branch = this.#name(from) ?? '';
      marks.push(mark);
    }
    return marks;
  }

  /** Sessions that went back. */
  rewound(): (string | null)[] {
    return [...this.#table()].flatMap(([session, { isRewound }]) => (isRewound ? [session] : []));
  }

  #table(): Map<string | null, Own> {
    if (this.#sessions !== undefined) return this.#sessions;
    const sessions = new Map<string | null, Own>();
    const from = this.#section();
    while (!from.isAtEnd) {
      const session = this.#name(from);
      const isRewound = from.byte() !== 0;
      const bytes = from.varint();
      const { at } = from;
      from.at = at + bytes;
      sessions.set(session, { at, end: from.at, isRewound });
    }
    this.#sessions = sessions;
    return sessions;
  }

  #name(from: ByteReader): string | null {
    return this.#strings[from.varint()] ?? null;
  }
}

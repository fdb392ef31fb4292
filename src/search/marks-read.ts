import type { Mark } from './document.ts';
import type { ByteReader } from './packing.ts';

/** Marks one behind the other, all of one session. */
interface Stretch {
  at: number;
  end: number;
  /** Of the mark before them. */
  seq: number;
}

/** The marks of an index file. There may be very many, and a search asks about few sessions: only theirs are read. */
export class MarksReader {
  readonly #section: () => ByteReader;
  readonly #strings: readonly (string | null)[];
  readonly #firstSeq: number;
  #places: Map<string | null, Stretch[]> | undefined;
  readonly #rewound = new Set<string | null>();

  constructor(section: () => ByteReader, strings: readonly (string | null)[], firstSeq: number) {
    this.#section = section;
    this.#strings = strings;
    this.#firstSeq = firstSeq;
  }

  all(): Mark[] {
    const { at } = this.#section();
    return this.#in({ at, end: Number.POSITIVE_INFINITY, seq: this.#firstSeq });
  }

  of(session: string): Mark[] {
    const stretches = this.#stretches().get(session) ?? [];
    return stretches.flatMap((one) => this.#in(one));
  }

  /** Whether it went back. */
  isRewound(session: string): boolean {
    this.#stretches();
    return this.#rewound.has(session);
  }

  #in({ at, end, seq: before }: Stretch): Mark[] {
    const marks: Mark[] = [];
    const from = this.#section();
    from.at = at;
    let seq = before;
    while (!from.isAtEnd && from.at < end) {
      const has = from.byte();
      seq += from.varint();
      const mark: Mark = { seq, session: this.#name(from), at: from.varint() };
      if (has & 1) mark.pos = from.varint();
      if (has & 2) mark.rewoundTo = from.varint() - 1;
      if (has & 4) mark.branch = this.#name(from) ?? '';
      if (has & 8) mark.cwd = this.#name(from) ?? '';
      marks.push(mark);
    }
    return marks;
  }

  #stretches(): Map<string | null, Stretch[]> {
    if (this.#places !== undefined) return this.#places;
    const places = new Map<string | null, Stretch[]>();
    const from = this.#section();
    let seq = this.#firstSeq;
    let last: string | null | undefined;
    let stretch: Stretch = { at: 0, end: 0, seq };
    while (!from.isAtEnd) {
      const { at } = from;
      const before = seq;
      const has = from.byte();
      seq += from.varint();
      const session = this.#name(from);
      if (session !== last) {
        stretch = { at, end: at, seq: before };
        const own = places.get(session);
        if (own === undefined) places.set(session, [stretch]);
        else own.push(stretch);
        last = session;
      }
      from.varint();
      for (const bit of [1, 2, 4, 8]) if (has & bit) from.varint();
      if (has & 2) this.#rewound.add(session);
      stretch.end = from.at;
    }
    this.#places = places;
    return places;
  }

  #name(from: ByteReader): string | null {
    return this.#strings[from.varint()] ?? null;
  }
}

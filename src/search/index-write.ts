import { xxh64 } from '../platform/xxh64.ts';
import { ANALYZER_VERSION } from './analyze.ts';
import type { IndexRange, Mark } from './document.ts';
import {
  AT,
  columnsOf,
  FORMAT_VERSION,
  MAGIC,
  MOST_ROWS,
  ROW_BLOCK,
  SUM_BYTES,
  TERM_BLOCK,
} from './layout.ts';
import { ByteWriter } from './packing.ts';
import { writePostings } from './postings.ts';

/** A document as the index keeps it. */
export interface Row {
  seq: number;
  session: string | null;
  at: number;
  /** How many events before it the fact is that it joins; 0 for none. */
  back: number;
  /** Kind and basis. */
  flags: number;
}

/** 0 where no time is known. */
function earliestOf(rows: readonly Row[]): number {
  const known = rows.map(({ at }) => at).filter((at) => at > 0);
  return known.length === 0 ? 0 : Math.min(...known);
}

/** Writes a file: first all rows and marks, then the terms in JavaScript's order of strings. */
export class IndexWriter {
  readonly #rows: readonly Row[];
  readonly #marks = new ByteWriter();
  readonly #strings = new Map<string, number>();
  readonly #sparse = new ByteWriter();
  readonly #dictionary = new ByteWriter();
  readonly #postings = new ByteWriter();
  #terms = 0;
  #rewound = 0;
  #last = Buffer.alloc(0);

  constructor(rows: readonly Row[], marks: readonly Mark[], firstSeq: number) {
    if (rows.length > MOST_ROWS) throw new RangeError(`an index file of ${rows.length} documents`);
    this.#rows = rows;
    for (const { session } of rows) this.#number(session);
    const bySession = new Map<string | null, Mark[]>();
    for (const mark of marks) {
      const own = bySession.get(mark.session);
      if (own === undefined) bySession.set(mark.session, [mark]);
      else own.push(mark);
    }
    for (const [session, own] of bySession) this.#marksOf(session, own, firstSeq);
  }

  /** @param postings by row */
  term(term: string, postings: ArrayLike<number>): void {
    const bytes = Buffer.from(term);
    const start = this.#postings.length;
    let shared = 0;
    if (this.#terms % TERM_BLOCK === 0) {
      this.#sparse.uint32(this.#dictionary.length);
      this.#sparse.uint32(start);
    } else while (shared < bytes.length && bytes[shared] === this.#last[shared]) shared += 1;
    writePostings(this.#postings, postings);
    const rest = bytes.length - shared;
    const isShort = shared < 0x10 && rest < 0xf;
    this.#dictionary.byte(isShort ? (shared << 4) | rest : 0xf);
    if (!isShort) {
      this.#dictionary.byte(shared);
      this.#dictionary.byte(rest);
    }
    this.#dictionary.copy(bytes.subarray(shared));
    this.#dictionary.varint(postings.length);
    this.#dictionary.varint(this.#postings.length - start);
    this.#last = bytes;
    this.#terms += 1;
  }

  finish({ firstSeq, lastSeq, erasureEpoch, chainBefore, chainAt }: IndexRange): Buffer {
    const strings = new ByteWriter();
    for (const text of this.#strings.keys()) strings.text(text);
    const isNarrow = this.#isNarrow();
    const backs = this.#backs();
    const sections = [
      backs.bytes,
      strings,
      this.#sparse,
      this.#dictionary,
      this.#postings,
      this.#marks,
    ];
    const start = columnsOf(this.#rows.length, isNarrow).end;
    const size = sections.reduce((sum, { length }) => sum + length, start) + SUM_BYTES;
    const file = Buffer.alloc(size);
    file.writeUInt32LE(MAGIC, AT.magic);
    file.writeUInt16LE(FORMAT_VERSION, AT.format);
    file.writeUInt16LE(ANALYZER_VERSION, AT.analyzer);
    file.writeDoubleLE(firstSeq, AT.firstSeq);
    file.writeDoubleLE(lastSeq, AT.lastSeq);
    file.writeDoubleLE(erasureEpoch, AT.epoch);
    file.writeDoubleLE(
      this.#rows.reduce((newest, { at }) => Math.max(newest, at), 0),
      AT.newest,
    );
    file.writeUInt32LE(this.#rewound, AT.rewound);
    file.writeUInt32LE(this.#rows.length, AT.rows);
    file.writeUInt32LE(this.#terms, AT.terms);
    file.writeUInt32LE(isNarrow ? 1 : 0, AT.isNarrow);
    file.set(chainBefore.subarray(0, 32), AT.chainBefore);
    file.set(chainAt.subarray(0, 32), AT.chainAt);
    this.#columns(file, isNarrow, firstSeq);
    const { backs: table } = columnsOf(this.#rows.length, isNarrow);
    for (const [block, place] of backs.places.entries())
      file.writeUInt32LE(place, table + 4 * block);
    let at = start;
    for (const [i, section] of sections.entries()) {
      file.writeUInt32LE(at, AT.backs + 4 * i);
      file.set(section.done(), at);
      at += section.length;
    }
    file.writeUInt32LE(at, AT.end);
    file.writeBigUInt64LE(xxh64(file.subarray(0, at), 0n), at);
    return file;
  }

  /** How far back facts are, and where each block has that: most go back little, and many not at all. */
  #backs(): { bytes: ByteWriter; places: number[] } {
    const bytes = new ByteWriter();
    const places: number[] = [];
    for (let from = 0; from < this.#rows.length; from += ROW_BLOCK) {
      const rows = this.#rows.slice(from, from + ROW_BLOCK);
      const most = Math.max(...rows.map(({ back }) => back));
      const width = most === 0 ? 0 : most < 0x100 ? 1 : 2;
      places.push(bytes.length * 4 + width);
      for (const { back } of width === 0 ? [] : rows) {
        bytes.byte(back & 0xff);
        if (width === 2) bytes.byte(back >>> 8);
      }
    }
    return { bytes, places };
  }

  #isNarrow(): boolean {
    for (let from = 0; from < this.#rows.length; from += ROW_BLOCK) {
      const rows = this.#rows.slice(from, from + ROW_BLOCK);
      if (rows.at(-1)!.seq - rows[0]!.seq > 0xffff) return false;
      if (Math.max(...rows.map(({ at }) => at)) - earliestOf(rows) >= 0xffff_ffff) return false;
    }
    return this.#strings.size < 0xffff;
  }

  #columns(file: Buffer, isNarrow: boolean, firstSeq: number): void {
    const rows = this.#rows;
    const width = isNarrow ? 2 : 4;
    const columns = columnsOf(rows.length, isNarrow);
    let [seqs, times] = [0, 0];
    for (const [row, { seq, session, at, flags }] of rows.entries()) {
      const block = row / ROW_BLOCK;
      if (Number.isInteger(block)) {
        seqs = seq;
        times = earliestOf(rows.slice(row, row + ROW_BLOCK));
        file.writeUInt32LE(seqs - firstSeq, columns.baseSeqs + 4 * block);
        file.writeDoubleLE(times, columns.baseTimes + 8 * block);
      }
      const time = at === 0 ? 0 : at - times + 1;
      if (isNarrow) file.writeUInt32LE(time, columns.times + 4 * row);
      else file.writeDoubleLE(time, columns.times + 8 * row);
      file.writeUIntLE(seq - seqs, columns.seqs + width * row, width);
      file.writeUIntLE(this.#number(session), columns.sessions + width * row, width);
      file[columns.flags + row] = flags;
    }
  }

  /** A session's marks together: a search asks about few sessions. */
  #marksOf(session: string | null, marks: readonly Mark[], firstSeq: number): void {
    const own = new ByteWriter();
    let seq = firstSeq;
    for (const mark of marks) {
      this.#mark(own, mark, seq);
      seq = mark.seq;
    }
    this.#marks.varint(this.#number(session));
    const isRewound = marks.some(({ rewoundTo }) => rewoundTo !== undefined);
    if (isRewound) this.#rewound += 1;
    this.#marks.byte(isRewound ? 1 : 0);
    this.#marks.varint(own.length);
    this.#marks.copy(own.done());
  }

  #mark(out: ByteWriter, { seq, at, pos, rewoundTo, branch }: Mark, before: number): void {
    const has = [pos, rewoundTo, branch].map((value) => value !== undefined);
    out.byte(has.reduce((bits, is, i) => bits | (is ? 1 << i : 0), 0));
    out.varint(seq - before);
    out.varint(Math.max(0, Math.floor(at) || 0));
    if (pos !== undefined) out.varint(Math.max(0, Math.floor(pos)));
    if (rewoundTo !== undefined) out.varint(Math.max(0, Math.floor(rewoundTo) + 1));
    if (branch !== undefined) out.varint(this.#number(branch));
  }

  /** Of a string in the file's list; 0 for none. */
  #number(text: string | null): number {
    if (text === null) return 0;
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size + 1);
    return this.#strings.size;
  }
}

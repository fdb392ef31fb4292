import { xxh64 } from '../platform/xxh64.ts';
import { ANALYZER_VERSION, analyze } from './analyze.ts';
import {
  BASES,
  FIELDS,
  type IndexRange,
  KINDS,
  type Mark,
  type SearchDocument,
} from './document.ts';
import {
  AT,
  BLOCK,
  columnBytes,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  SKIP_BYTES,
  SUM_BYTES,
  TERM_BLOCK,
} from './layout.ts';
import { ByteWriter } from './packing.ts';
import { B, FIELD_LENGTH, FIELD_WEIGHT, K1, NAME_WEIGHT } from './weights.ts';

/** A document as the index keeps it. */
export interface Row {
  seq: number;
  session: string | null;
  at: number;
  /** Kind, basis and agent. */
  flags: number;
}

export const flagsOf = ({ kind, basis, agent }: SearchDocument): number =>
  KINDS.indexOf(kind) | (BASES.indexOf(basis) << 4) | (agent === null ? 0 : 0x80);

interface Entry {
  /** Row × 256 + impact. */
  postings: number[];
  row: number;
  weight: number;
}

/** Makes an index file of documents and marks that come in the order of their seqs. */
export class IndexBuilder {
  readonly #rows: Row[] = [];
  readonly #marks: Mark[] = [];
  readonly #entries = new Map<string, Entry>();
  #found: Entry[] = [];
  #isName: boolean[] = [];

  /** Documents. */
  get size(): number {
    return this.#rows.length;
  }

  add(document: SearchDocument): void {
    const row = this.#rows.length;
    const { seq, session, at } = document;
    this.#rows.push({ seq, session, at, flags: flagsOf(document) });
    const touched: Entry[] = [];
    for (const field of FIELDS) {
      const text = document.texts[field];
      if (text === undefined || text === '') continue;
      this.#analyze(text);
      const found = this.#found;
      const unit = FIELD_WEIGHT[field] / (1 - B + (B * found.length) / FIELD_LENGTH[field]);
      for (let i = 0; i < found.length; i += 1) {
        const entry = found[i]!;
        if (entry.row !== row) {
          entry.row = row;
          entry.weight = 0;
          touched.push(entry);
        }
        entry.weight += this.#isName[i]! ? unit * NAME_WEIGHT : unit;
      }
    }
    for (const { postings, weight } of touched)
      postings.push(row * 256 + Math.max(1, Math.round((255 * weight) / (K1 + weight))));
  }

  mark(mark: Mark): void {
    this.#marks.push(mark);
  }

  finish(range: IndexRange): Buffer {
    const file = new IndexWriter(this.#rows, this.#marks, range.firstSeq);
    for (const term of [...this.#entries.keys()].sort())
      file.term(term, this.#entries.get(term)!.postings);
    return file.finish(range);
  }

  #analyze(text: string): void {
    this.#found = [];
    this.#isName = [];
    analyze(text, (term, isName) => {
      let entry = this.#entries.get(term);
      if (entry === undefined) {
        entry = { postings: [], row: -1, weight: 0 };
        this.#entries.set(term, entry);
      }
      this.#found.push(entry);
      this.#isName.push(isName);
    });
  }
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
  #last = Buffer.alloc(0);

  constructor(rows: readonly Row[], marks: readonly Mark[], firstSeq: number) {
    this.#rows = rows;
    for (const { session } of rows) this.#number(session);
    let seq = firstSeq;
    for (const mark of marks) {
      this.#mark(mark, seq);
      seq = mark.seq;
    }
  }

  /** @param postings row × 256 + impact, by row */
  term(term: string, postings: ArrayLike<number>): void {
    const bytes = Buffer.from(term);
    const start = this.#postings.length;
    let shared = 0;
    if (this.#terms % TERM_BLOCK === 0) {
      this.#sparse.uint32(this.#dictionary.length);
      this.#sparse.uint32(start);
    } else while (shared < bytes.length && bytes[shared] === this.#last[shared]) shared += 1;
    this.#list(postings);
    this.#dictionary.byte(shared);
    this.#dictionary.byte(bytes.length - shared);
    this.#dictionary.copy(bytes.subarray(shared));
    this.#dictionary.varint(postings.length);
    this.#dictionary.varint(this.#postings.length - start);
    this.#last = bytes;
    this.#terms += 1;
  }

  finish({ firstSeq, lastSeq, erasureEpoch, chainBefore, chainAt }: IndexRange): Buffer {
    const strings = new ByteWriter();
    for (const text of this.#strings.keys()) strings.text(text);
    const width = this.#strings.size < 0xffff ? 2 : 4;
    const sections = [strings, this.#sparse, this.#dictionary, this.#postings, this.#marks];
    const start = HEADER_BYTES + columnBytes(this.#rows.length, width);
    const size = sections.reduce((sum, { length }) => sum + length, start) + SUM_BYTES;
    const file = Buffer.alloc(size);
    file.writeUInt32LE(MAGIC, AT.magic);
    file.writeUInt16LE(FORMAT_VERSION, AT.format);
    file.writeUInt16LE(ANALYZER_VERSION, AT.analyzer);
    file.writeDoubleLE(firstSeq, AT.firstSeq);
    file.writeDoubleLE(lastSeq, AT.lastSeq);
    file.writeDoubleLE(erasureEpoch, AT.epoch);
    file.writeUInt32LE(this.#rows.length, AT.rows);
    file.writeUInt32LE(this.#terms, AT.terms);
    file.writeUInt32LE(width, AT.width);
    file.set(chainBefore.subarray(0, 32), AT.chainBefore);
    file.set(chainAt.subarray(0, 32), AT.chainAt);
    this.#columns(file, width, firstSeq);
    let at = start;
    for (const [i, section] of sections.entries()) {
      file.writeUInt32LE(at, AT.strings + 4 * i);
      file.set(section.done(), at);
      at += section.length;
    }
    file.writeUInt32LE(at, AT.end);
    file.writeBigUInt64LE(xxh64(file.subarray(0, at), 0n), at);
    return file;
  }

  #columns(file: Buffer, width: number, firstSeq: number): void {
    const rows = this.#rows;
    const count = rows.length;
    const sessions = HEADER_BYTES + 8 * count;
    const millis = sessions + width * count;
    for (let row = 0; row < count; row += 1) {
      const { seq, session, at, flags } = rows[row]!;
      const time = Math.min(Math.max(0, Math.floor(at) || 0), 0xffff_ffff * 1000);
      file.writeUInt32LE(seq - firstSeq, HEADER_BYTES + 4 * row);
      file.writeUInt32LE(Math.floor(time / 1000), HEADER_BYTES + 4 * count + 4 * row);
      file.writeUIntLE(this.#number(session), sessions + width * row, width);
      file.writeUInt16LE(time % 1000, millis + 2 * row);
      file[millis + 2 * count + row] = flags;
    }
  }

  #list(postings: ArrayLike<number>): void {
    const out = this.#postings;
    const table = out.length;
    const skips = Math.ceil(postings.length / BLOCK) - 1;
    out.need(Math.max(0, skips) * SKIP_BYTES);
    if (skips > 0) out.length += skips * SKIP_BYTES;
    const start = out.length;
    let before = 0;
    for (let i = 0; i < postings.length; i += 1) {
      const row = Math.floor(postings[i]! / 256);
      if (i > 0 && i % BLOCK === 0) {
        const at = table + (i / BLOCK - 1) * SKIP_BYTES;
        out.bytes.writeUInt32LE(row, at);
        out.bytes.writeUInt32LE(out.length - start, at + 4);
        before = row;
      }
      out.varint(row - before);
      out.byte(postings[i]! & 0xff);
      before = row;
    }
  }

  #mark({ seq, session, at, pos, rewoundTo, branch, cwd }: Mark, before: number): void {
    const out = this.#marks;
    const has = [pos, rewoundTo, branch, cwd].map((value) => value !== undefined);
    out.byte(has.reduce((bits, is, i) => bits | (is ? 1 << i : 0), 0));
    out.varint(seq - before);
    out.varint(this.#number(session));
    out.varint(Math.max(0, Math.floor(at) || 0));
    if (pos !== undefined) out.varint(Math.max(0, Math.floor(pos)));
    if (rewoundTo !== undefined) out.varint(Math.max(0, Math.floor(rewoundTo) + 1));
    if (branch !== undefined) out.varint(this.#number(branch));
    if (cwd !== undefined) out.varint(this.#number(cwd));
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

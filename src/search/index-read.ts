import type { Hash64 } from '../platform/xxh64.ts';
import { ANALYZER_VERSION } from './analyze.ts';
import { BASES, type Basis, type IndexRange, KINDS, type Kind, type Mark } from './document.ts';
import {
  AT,
  BLOCK,
  columnBytes,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  SKIP_BYTES,
  SPARSE_BYTES,
  SUM_BYTES,
  TERM_BLOCK,
} from './layout.ts';
import { ByteReader } from './packing.ts';

/**
 * A file that is exactly as it was written, by this version; else undefined. The checksum is no proof against who forges it, so
 * whoever reads on does so within bounds.
 */
export function openIndex(bytes: Buffer, xxh64: Hash64): IndexFile | undefined {
  const end = bytes.length - SUM_BYTES;
  if (end < HEADER_BYTES || bytes.readUInt32LE(AT.magic) !== MAGIC) return undefined;
  if (bytes.readUInt16LE(AT.format) !== FORMAT_VERSION) return undefined;
  if (bytes.readUInt16LE(AT.analyzer) !== ANALYZER_VERSION) return undefined;
  if (bytes.readUInt32LE(AT.end) !== end) return undefined;
  if (xxh64(bytes.subarray(0, end), 0n) !== bytes.readBigUInt64LE(end)) return undefined;
  const width = bytes.readUInt32LE(AT.width);
  if (width !== 2 && width !== 4) return undefined;
  let before = HEADER_BYTES + columnBytes(bytes.readUInt32LE(AT.rows), width);
  if (bytes.readUInt32LE(AT.strings) !== before) return undefined;
  for (let at: number = AT.strings; at <= AT.end; at += 4) {
    if (bytes.readUInt32LE(at) < before) return undefined;
    before = bytes.readUInt32LE(at);
  }
  const sparse = bytes.readUInt32LE(AT.dictionary) - bytes.readUInt32LE(AT.sparse);
  const blocks = Math.ceil(bytes.readUInt32LE(AT.terms) / TERM_BLOCK);
  if (sparse !== blocks * SPARSE_BYTES) return undefined;
  // Columns are read as numbers where they lie, which needs an even place.
  return new IndexFile(bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes)));
}

export class IndexFile {
  readonly range: IndexRange;
  /** Documents. */
  readonly rows: number;
  /** The whole file. */
  readonly bytes: Buffer;
  readonly #seqs: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #sessions: Uint16Array | Uint32Array;
  readonly #millis: Uint16Array;
  readonly #flags: Uint8Array;
  readonly #strings: (string | null)[] = [null];

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.rows = bytes.readUInt32LE(AT.rows);
    this.range = {
      firstSeq: bytes.readDoubleLE(AT.firstSeq),
      lastSeq: bytes.readDoubleLE(AT.lastSeq),
      chainBefore: bytes.subarray(AT.chainBefore, AT.chainBefore + 32),
      chainAt: bytes.subarray(AT.chainAt, AT.chainAt + 32),
      erasureEpoch: bytes.readDoubleLE(AT.epoch),
    };
    const { rows } = this;
    const isWide = bytes.readUInt32LE(AT.width) === 4;
    const start = bytes.byteOffset + HEADER_BYTES;
    this.#seqs = new Uint32Array(bytes.buffer, start, rows);
    this.#seconds = new Uint32Array(bytes.buffer, start + 4 * rows, rows);
    const Sessions = isWide ? Uint32Array : Uint16Array;
    this.#sessions = new Sessions(bytes.buffer as ArrayBuffer, start + 8 * rows, rows);
    const millis = start + (isWide ? 12 : 10) * rows;
    this.#millis = new Uint16Array(bytes.buffer, millis, rows);
    this.#flags = new Uint8Array(bytes.buffer, millis + 2 * rows, rows);
    const strings = this.#section(AT.strings);
    while (!strings.isAtEnd) this.#strings.push(strings.text());
  }

  seqOf(row: number): number {
    return this.range.firstSeq + this.#seqs[row]!;
  }

  sessionOf(row: number): string | null {
    return this.#strings[this.#sessions[row]!] ?? null;
  }

  /** Milliseconds since 1970; 0 if unknown. */
  atOf(row: number): number {
    return this.#seconds[row]! * 1000 + this.#millis[row]!;
  }

  kindOf(row: number): Kind {
    return KINDS[this.#flags[row]! & 0xf] ?? KINDS[0];
  }

  basisOf(row: number): Basis {
    return BASES[(this.#flags[row]! >> 4) & 0x7] ?? BASES[0];
  }

  /** Whether it is of a sub-agent. */
  isAgent(row: number): boolean {
    return (this.#flags[row]! & 0x80) !== 0;
  }

  /** Kind, basis and agent as they are stored. */
  flagsOf(row: number): number {
    return this.#flags[row]!;
  }

  /** How many rows have a seq up to this one. */
  rowsUpto(seq: number): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.seqOf(middle) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  marks(): Mark[] {
    const marks: Mark[] = [];
    const from = this.#section(AT.marks);
    let seq = this.range.firstSeq;
    while (!from.isAtEnd) {
      const has = from.byte();
      seq += from.varint();
      const mark: Mark = { seq, session: this.#strings[from.varint()] ?? null, at: from.varint() };
      if (has & 1) mark.pos = from.varint();
      if (has & 2) mark.rewoundTo = from.varint() - 1;
      if (has & 4) mark.branch = this.#strings[from.varint()] ?? '';
      if (has & 8) mark.cwd = this.#strings[from.varint()] ?? '';
      marks.push(mark);
    }
    return marks;
  }

  postings(term: string): Postings | undefined {
    for (const entry of this.#termsFrom(term)) {
      if (entry.term === term) return this.#list(entry);
      if (entry.term > term) return undefined;
    }
    return undefined;
  }

  /** All terms that begin so, in JavaScript's order of strings, with their numbers of documents. */
  *termsLike(beginning: string): Generator<{ term: string; count: number }> {
    for (const entry of this.#termsFrom(beginning)) {
      if (entry.term.startsWith(beginning)) yield entry;
      else if (entry.term > beginning) return;
    }
  }

  /** All terms with their postings. */
  *terms(): Generator<{ term: string; postings: Postings }> {
    for (const entry of this.#termsFrom(''))
      yield { term: entry.term, postings: this.#list(entry) };
  }

  #list({ count, at, bytes }: TermEntry): Postings {
    const [start, end] = [this.bytes.readUInt32LE(AT.postings), this.bytes.readUInt32LE(AT.marks)];
    const from = Math.min(start + at, end);
    return new Postings(this.bytes, from, Math.min(from + bytes, end), Math.min(count, this.rows));
  }

  /** From the last block of the dictionary that begins at or before `term`. */
  *#termsFrom(term: string): Generator<TermEntry> {
    const sparse = this.bytes.readUInt32LE(AT.sparse);
    const total = this.bytes.readUInt32LE(AT.terms);
    const reader = this.#section(AT.dictionary);
    const dictionary = reader.at;
    const word = Buffer.alloc(0x200);
    const read = (): string => {
      const shared = reader.byte();
      const length = reader.byte();
      for (let i = 0; i < length; i += 1) word[shared + i] = reader.byte();
      return word.toString('utf8', 0, shared + length);
    };
    const go = (block: number): void => {
      reader.at = dictionary + this.bytes.readUInt32LE(sparse + SPARSE_BYTES * block);
    };
    let low = 0;
    let high = Math.ceil(total / TERM_BLOCK);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      go(middle);
      if (read() <= term) low = middle;
      else high = middle;
    }
    let at = 0;
    for (let i = low * TERM_BLOCK; i < total && !reader.isAtEnd; i += 1) {
      if (i % TERM_BLOCK === 0) {
        const entry = sparse + (SPARSE_BYTES * i) / TERM_BLOCK;
        reader.at = dictionary + this.bytes.readUInt32LE(entry);
        at = this.bytes.readUInt32LE(entry + 4);
      }
      const entry = { term: read(), count: reader.varint(), at, bytes: reader.varint() };
      at += entry.bytes;
      yield entry;
    }
  }

  #section(at: number): ByteReader {
    return new ByteReader(this.bytes, this.bytes.readUInt32LE(at), this.bytes.readUInt32LE(at + 4));
  }
}

interface TermEntry {
  term: string;
  count: number;
  at: number;
  bytes: number;
}

/** The documents with a term, by row, in blocks. */
export class Postings {
  readonly blocks: number;
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #table: number;
  readonly #start: number;

  constructor(bytes: Buffer, at: number, end: number, count: number) {
    this.count = count;
    this.#bytes = bytes;
    this.#end = end;
    this.blocks = Math.ceil(count / BLOCK);
    this.#table = at;
    this.#start = at + Math.max(0, this.blocks - 1) * SKIP_BYTES;
  }

  firstRowOf(block: number): number {
    if (block === 0) return 0;
    const at = this.#table + (block - 1) * SKIP_BYTES;
    return at + SKIP_BYTES <= this.#end ? this.#bytes.readUInt32LE(at) : 0;
  }

  /** Reads a block. @returns how many it has */
  read(block: number, rows: Uint32Array, impacts: Uint8Array): number {
    const bytes = this.#bytes;
    const count = Math.min(BLOCK, this.count - block * BLOCK);
    let at = this.#start;
    let row = this.firstRowOf(block);
    if (block > 0 && at <= this.#end)
      at += bytes.readUInt32LE(this.#table + (block - 1) * SKIP_BYTES + 4);
    if (at + 2 * count > this.#end) return 0;
    for (let i = 0; i < count; i += 1) {
      let byte = bytes[at]!;
      at += 1;
      let delta = byte & 0x7f;
      for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
        byte = bytes[at]!;
        at += 1;
        delta |= (byte & 0x7f) << shift;
      }
      row = (row + delta) >>> 0;
      rows[i] = row;
      impacts[i] = bytes[at]!;
      at += 1;
    }
    return count;
  }

  /** How many are in rows before this one. */
  countBelow(end: number): number {
    let low = 0;
    let high = this.blocks;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstRowOf(middle) < end) low = middle;
      else high = middle;
    }
    const rows = new Uint32Array(BLOCK);
    const count = this.count === 0 ? 0 : this.read(low, rows, new Uint8Array(BLOCK));
    let below = 0;
    while (below < count && rows[below]! < end) below += 1;
    return low * BLOCK + below;
  }
}

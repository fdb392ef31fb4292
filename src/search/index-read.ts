import type { Hash64 } from '../platform/xxh64.ts';
import { ANALYZER_VERSION } from './analyze.ts';
import { BASES, type Basis, type IndexRange, KINDS, type Kind, type Mark } from './document.ts';
import {
  AT,
  columnsOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  MAGIC,
  ROW_BITS,
  ROW_BLOCK,
  SPARSE_BYTES,
  SUM_BYTES,
  TERM_BLOCK,
} from './layout.ts';
import { MarksReader } from './marks-read.ts';
import { ByteReader } from './packing.ts';
import { Postings } from './postings.ts';

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
  const isNarrow = bytes.readUInt32LE(AT.isNarrow) === 1;
  let before = columnsOf(bytes.readUInt32LE(AT.rows), isNarrow).end;
  if (bytes.readUInt32LE(AT.backs) !== before) return undefined;
  for (let at: number = AT.backs; at <= AT.end; at += 4) {
    if (bytes.readUInt32LE(at) < before) return undefined;
    before = bytes.readUInt32LE(at);
  }
  const sparse = bytes.readUInt32LE(AT.dictionary) - bytes.readUInt32LE(AT.sparse);
  const blocks = Math.ceil(bytes.readUInt32LE(AT.terms) / TERM_BLOCK);
  if (sparse !== blocks * SPARSE_BYTES) return undefined;
  // Columns are read as numbers where they lie, which needs an even place.
  const file = new IndexFile(bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(bytes));
  return file.isInOrder() ? file : undefined;
}

export class IndexFile {
  readonly range: IndexRange;
  /** Documents. */
  readonly rows: number;
  /** The whole file. */
  readonly bytes: Buffer;
  readonly #view: DataView;
  readonly #baseTimes: Float64Array;
  readonly #times: Uint32Array | Float64Array;
  readonly #baseSeqs: Uint32Array;
  readonly #seqs: Uint16Array | Uint32Array;
  readonly #sessions: Uint16Array | Uint32Array;
  readonly #backs: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #strings: (string | null)[] = [null];
  readonly #marks: MarksReader;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.rows = bytes.readUInt32LE(AT.rows);
    this.range = {
      firstSeq: bytes.readDoubleLE(AT.firstSeq),
      lastSeq: bytes.readDoubleLE(AT.lastSeq),
      chainBefore: bytes.subarray(AT.chainBefore, AT.chainBefore + 32),
      chainAt: bytes.subarray(AT.chainAt, AT.chainAt + 32),
      erasureEpoch: bytes.readDoubleLE(AT.epoch),
    };
    const { rows } = this;
    const isNarrow = bytes.readUInt32LE(AT.isNarrow) === 1;
    const columns = columnsOf(rows, isNarrow);
    const { buffer, byteOffset: start } = bytes;
    const [Numbers, Times] = isNarrow ? [Uint16Array, Uint32Array] : [Uint32Array, Float64Array];
    this.#baseTimes = new Float64Array(buffer, start + columns.baseTimes, columns.blocks);
    this.#times = new Times(buffer as ArrayBuffer, start + columns.times, rows);
    this.#baseSeqs = new Uint32Array(buffer, start + columns.baseSeqs, columns.blocks);
    this.#seqs = new Numbers(buffer as ArrayBuffer, start + columns.seqs, rows);
    this.#sessions = new Numbers(buffer as ArrayBuffer, start + columns.sessions, rows);
    this.#backs = new Uint32Array(buffer, start + columns.backs, columns.blocks);
    this.#flags = bytes.subarray(columns.flags, columns.end);
    const strings = this.#section(AT.strings);
    while (!strings.isAtEnd) this.#strings.push(strings.text());
    const marks = () => this.#section(AT.marks);
    this.#marks = new MarksReader(marks, this.#strings, this.range.firstSeq);
  }

  /** Whether its documents are of its range, and in order. */
  isInOrder(): boolean {
    let before = this.range.firstSeq;
    for (let row = 0; row < this.rows; row += 1) {
      const seq = this.seqOf(row);
      if (!(seq >= before)) return false;
      before = seq;
    }
    return this.rows === 0 || before <= this.range.lastSeq;
  }

  seqOf(row: number): number {
    return this.range.firstSeq + this.#baseSeqs[row >>> ROW_BITS]! + this.#seqs[row]!;
  }

  /** The seq of the fact that it is, or joins. */
  factOf(row: number): number {
    return this.seqOf(row) - this.backOf(row);
  }

  /** How far back the fact is that it joins. */
  backOf(row: number): number {
    const place = this.#backs[row >>> ROW_BITS]!;
    const width = place & 3;
    if (width === 0) return 0;
    const at = this.bytes.readUInt32LE(AT.backs) + (place >>> 2) + width * (row & (ROW_BLOCK - 1));
    const low = this.bytes[at] ?? 0;
    return width === 1 ? low : low + (this.bytes[at + 1] ?? 0) * 0x100;
  }

  sessionOf(row: number): string | null {
    return this.#strings[this.#sessions[row]!] ?? null;
  }

  /** Milliseconds since 1970; 0 if unknown. */
  atOf(row: number): number {
    const time = this.#times[row]!;
    const at = this.#baseTimes[row >>> ROW_BITS]! + time - 1;
    return time > 0 && at > 0 ? at : 0;
  }

  /** The latest time of the first rows. */
  newestOf(rows: number): number {
    if (rows === this.rows) return this.bytes.readDoubleLE(AT.newest);
    let newest = 0;
    for (let row = 0; row < rows; row += 1) newest = Math.max(newest, this.atOf(row));
    return newest;
  }

  kindOf(row: number): Kind {
    return KINDS[this.#flags[row]! & 0xf] ?? KINDS[0];
  }

  basisOf(row: number): Basis {
    return BASES[this.#flags[row]! >> 4] ?? BASES[0];
  }

  /** Kind and basis as they are stored. */
  flagsOf(row: number): number {
    return this.#flags[row]!;
  }

  /**
   * How many rows have a seq up to this one.
   * @param near at or behind the last of them
   */
  rowsUpto(seq: number, near = this.rows): number {
    let step = 1;
    while (step <= near && this.seqOf(near - step) > seq) step *= 2;
    let low = Math.max(0, near - step);
    let high = near - (step >>> 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.seqOf(middle) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Of one session, or of all. */
  marks(session?: string): Mark[] {
    return session === undefined ? this.#marks.all() : this.#marks.of(session);
  }

  /** Sessions whose conversation went back here. */
  rewound(): (string | null)[] {
    return this.bytes.readUInt32LE(AT.rewound) === 0 ? [] : this.#marks.rewound();
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
    return new Postings(this.#view, from, Math.min(from + bytes, end), Math.min(count, this.rows));
  }

  /** From the last block of the dictionary that begins at or before `term`. */
  *#termsFrom(term: string): Generator<TermEntry> {
    const sparse = this.bytes.readUInt32LE(AT.sparse);
    const total = this.bytes.readUInt32LE(AT.terms);
    const reader = this.#section(AT.dictionary);
    const dictionary = reader.at;
    const word = Buffer.alloc(0x200);
    const read = (): string => {
      const about = reader.byte();
      const shared = about === 0xf ? reader.byte() : about >>> 4;
      const length = about === 0xf ? reader.byte() : about & 0xf;
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

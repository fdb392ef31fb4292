/**
 * An index file: a header of fixed size, columns of fixed width (a row a document, usable where they lie), then
 * strings, dictionary, postings and marks, and at the end XXH64 of all before. Numbers are little-endian.
 */
export const MAGIC = 0x58303142;
export const FORMAT_VERSION = 9;
export const HEADER_BYTES = 152;
export const SUM_BYTES = 8;

/** Where the header has what. */
export const AT = {
  magic: 0,
  format: 4,
  analyzer: 6,
  firstSeq: 8,
  lastSeq: 16,
  /** Sessions that went back. */
  rewound: 24,
  rows: 28,
  terms: 32,
  /** Whether numbers fit into the narrow columns: 0 or 1. */
  isNarrow: 36,
  backs: 40,
  strings: 44,
  sparse: 48,
  dictionary: 52,
  postings: 56,
  marks: 60,
  end: 64,
  chainBefore: 72,
  chainAt: 104,
  epoch: 136,
  /** The latest time of a document. */
  newest: 144,
} as const;

/** Rows a block of the columns. */
export const ROW_BITS = 7;
export const ROW_BLOCK = 1 << ROW_BITS;

/** What a term gives a document is one of 31 levels. */
export const IMPACT_BITS = 5;
export const IMPACTS = (1 << IMPACT_BITS) - 1;
/** What can be read as one number of 32 bits from any bit of a byte: of a row its lower bits, and an impact. */
export const MOST_BITS = 25;
/** Documents a file. */
export const MOST_ROWS = 2 ** (MOST_BITS - IMPACT_BITS);

/** Postings a block: long lists can be skipped by blocks. */
export const BLOCK = 512;
/** Bytes of a skip entry: first row of a block and its place. */
export const SKIP_BYTES = 8;
/** Terms a block of the dictionary; the first of each is found through the sparse index. */
export const TERM_BLOCK = 16;
/** Bytes of an entry of the sparse index: a block's place in the dictionary, and that of its first postings. */
export const SPARSE_BYTES = 8;

/**
 * Where each column begins, and where the last one ends. Seqs and times are counted from the least of the row's block; a
 * time of 0 is unknown. How far back the fact is that a document joins
 * takes 0, 1 or 2 bytes in all of a block: a column has each block's place among them, times four, and that width. Narrow columns hold 65,535 seqs and sessions, and 49 days of milliseconds.
 */
export function columnsOf(rows: number, isNarrow: boolean) {
  const blocks = Math.ceil(rows / ROW_BLOCK);
  const width = isNarrow ? 2 : 4;
  const baseTimes = HEADER_BYTES;
  const times = baseTimes + 8 * blocks;
  const baseSeqs = times + (isNarrow ? 4 : 8) * rows;
  const backs = baseSeqs + 4 * blocks;
  const seqs = backs + 4 * blocks;
  const sessions = seqs + width * rows;
  const flags = sessions + width * rows;
  return { blocks, baseTimes, times, baseSeqs, seqs, sessions, backs, flags, end: flags + rows };
}

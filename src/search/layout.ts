/**
 * An index file: a header of fixed size, columns of fixed width (a row a document, usable where they lie), then
 * strings, dictionary, postings and marks, and at the end XXH64 of all before. Numbers are little-endian.
 */
export const MAGIC = 0x58303142;
export const FORMAT_VERSION = 1;
export const HEADER_BYTES = 136;
export const SUM_BYTES = 8;

/** Where the header has what. */
export const AT = {
  magic: 0,
  format: 4,
  analyzer: 6,
  firstSeq: 8,
  lastSeq: 16,
  rows: 28,
  terms: 32,
  /** Bytes of a session's number: 2 or 4. */
  width: 36,
  strings: 40,
  sparse: 44,
  dictionary: 48,
  postings: 52,
  marks: 56,
  end: 60,
  chainBefore: 64,
  chainAt: 96,
  epoch: 128,
} as const;

/** Postings a block: long lists can be skipped by blocks. */
export const BLOCK = 128;
/** Bytes of a skip entry: first row of a block and its place. */
export const SKIP_BYTES = 8;
/** Terms a block of the dictionary; the first of each is found through the sparse index. */
export const TERM_BLOCK = 16;
/** Bytes of an entry of the sparse index: a block's place in the dictionary, and that of its first postings. */
export const SPARSE_BYTES = 8;

export const columnBytes = (rows: number, width: number): number => rows * (4 + 4 + width + 2 + 1);

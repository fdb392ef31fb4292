import { bitsAt, constantTable, type FseTable, readFseTable } from './fse-table.ts';
import { LOG_MAX, SYMBOLS_MAX, type ZstdCodes, zstdCodes } from './zstd-codes.ts';
import { skipHuffman } from './zstd-huffman.ts';

/** Tables of literals, offsets and matches; a block may reuse the one before. */
export type BlockTables = (FseTable | undefined)[];

/** The largest allowed window needs offsets of 24 bits. */
const OFFSET_BITS_MAX = 24;

/**
 * The unpacked length of a compressed block (RFC 8878, 3.1.1.3), checked before unpacking: fzstd trusts the lengths that it
 * reads, so a few hostile bytes would keep it busy for seconds or for ever.
 * @param tables updated for the next block
 * @throws RangeError for more than `most` bytes, or an invalid block
 */
export function blockBytes(block: Uint8Array, tables: BlockTables, most: number): number {
  const { at, literals } = skipLiterals(block);
  if (literals > most) throw new RangeError('a Zstd block of too many literals');
  const first = block[at] ?? 0;
  if (first === 0) {
    if (at + 1 !== block.length) throw new RangeError('bytes behind the literals of a Zstd block');
    return literals;
  }
  const [count, modes] = sequenceCount(block, at, first);
  const codes = zstdCodes();
  const bits = readTables(block, modes, tables, codes);
  const copied = copiedBytes(block, bits, count, tables as FseTable[], codes, {
    literals,
    matches: most - literals,
  });
  return literals + copied;
}

/** The section's end, and the unpacked length of its literals. */
function skipLiterals(block: Uint8Array): { at: number; literals: number } {
  const head = block[0] ?? 0;
  const kind = head & 3;
  const format = (head >> 2) & 3;
  const number = (bytes: number): number => {
    let value = 0;
    for (let n = bytes - 1; n >= 0; n -= 1) value = value * 256 + (block[n] ?? 0);
    return value;
  };
  if (kind < 2) {
    const bytes = [1, 2, 1, 3][format]!;
    const literals = Math.floor(number(bytes) / (bytes === 1 ? 8 : 16));
    return { at: bytes + (kind === 1 ? 1 : literals), literals };
  }
  const bytes = [3, 3, 4, 5][format]!;
  const width = [10, 10, 14, 18][format]!;
  const both = Math.floor(number(bytes) / 16);
  const end = bytes + Math.floor(both / 2 ** width);
  if (end > block.length) throw new RangeError('literals behind the end of a Zstd block');
  if (kind === 2) skipHuffman(block.subarray(bytes, end));
  return { at: end, literals: both % 2 ** width };
}

/** The number of sequences, and the offset of the byte that says which tables they use. */
function sequenceCount(block: Uint8Array, at: number, first: number): [number, number] {
  const second = block[at + 1] ?? 0;
  if (first < 128) return [first, at + 1];
  if (first < 255) return [(first - 128) * 256 + second, at + 2];
  return [second + (block[at + 2] ?? 0) * 256 + 0x7f00, at + 3];
}

/** Returns the start of the sequences' bits. */
function readTables(
  block: Uint8Array,
  modes: number,
  tables: BlockTables,
  codes: ZstdCodes,
): number {
  const mode = block[modes] ?? 0;
  if ((mode & 3) !== 0) throw new RangeError('a Zstd block with reserved bits');
  let at = modes + 1;
  for (let index = 0; index < 3; index += 1) {
    const how = (mode >> (6 - 2 * index)) & 3;
    if (how === 0) tables[index] = codes.tables[index]!;
    else if (how === 1) {
      const symbol = block[at] ?? 0;
      if (symbol >= SYMBOLS_MAX[index]!) throw new RangeError('an unknown code in a Zstd table');
      tables[index] = constantTable(symbol);
      at += 1;
    } else if (how === 2) {
      const most = SYMBOLS_MAX[index]!;
      const read = readFseTable(block, at, block.length, LOG_MAX[index]!, most);
      tables[index] = read.table;
      at = read.end;
    } else if (tables[index] === undefined) throw new RangeError('a Zstd table that nobody gave');
  }
  return at;
}

/** Adds up what the matches of the sequences copy; they are read backwards from the end of the block. */
function copiedBytes(
  block: Uint8Array,
  start: number,
  count: number,
  [literals, offsets, matches]: FseTable[],
  codes: ZstdCodes,
  most: { literals: number; matches: number },
): number {
  const last = block[block.length - 1] ?? 0;
  if (last === 0 || start >= block.length) throw new RangeError('a Zstd block without sequences');
  const end = start * 8;
  let at = block.length * 8 - 8 + (31 - Math.clz32(last));
  const read = (width: number): number => {
    at -= width;
    return bitsAt(block, at, width);
  };
  let literal = read(literals!.log);
  let offset = read(offsets!.log);
  let match = read(matches!.log);
  let leftLiterals = most.literals;
  let copied = 0;
  for (let left = count; ; ) {
    const offsetBits = offsets!.symbols[offset]!;
    const matchCode = matches!.symbols[match]!;
    const literalCode = literals!.symbols[literal]!;
    if (offsetBits > OFFSET_BITS_MAX) throw new RangeError('a Zstd match from too far back');
    at -= offsetBits;
    copied += codes.matches.bases[matchCode]! + read(codes.matches.bits[matchCode]!);
    leftLiterals -= codes.literals.bases[literalCode]! + read(codes.literals.bits[literalCode]!);
    if (at < end || copied > most.matches || leftLiterals < 0)
      throw new RangeError('a Zstd block whose sequences do not fit');
    left -= 1;
    if (left === 0) break;
    literal = literals!.bases[literal]! + read(literals!.bits[literal]!);
    match = matches!.bases[match]! + read(matches!.bits[match]!);
    offset = offsets!.bases[offset]! + read(offsets!.bits[offset]!);
  }
  if (at !== end) throw new RangeError('bits are left over in a Zstd block');
  return copied;
}

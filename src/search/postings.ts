import { BLOCK, IMPACT_BITS, IMPACTS, MOST_BITS, MOST_ROWS, SKIP_BYTES } from './layout.ts';
import type { ByteWriter } from './packing.ts';

/** A row and the impact of a term there, in one number. */
export const posting = (row: number, impact: number): number => (row << IMPACT_BITS) | impact;
const rowOf = (one: number): number => one >>> IMPACT_BITS;
const impactOf = (one: number): number => one & ((1 << IMPACT_BITS) - 1);
/** Documents of a list for which blocks would be longer. */
const SHORT = 2;
const bitsOf = (value: number): number => 32 - Math.clz32(value);

/**
 * Writes the documents of a term, in blocks by Elias and Fano: of each row its distance to the block's first one, less
 * its number in the block, which never falls. The lower bits of that are packed, each with the impact less the
 * block's lowest; the upper bits follow as a row of bits: as many zeros as they grow, and a one. A block begins with two
 * bytes: how many bits are lower ones, and those of the impact with the lowest one. A list of more than one block has before them, for each but the first,
 * its first row and its place. A short list is one number a document: its row less the one before, and the impact.
 */
export function writePostings(out: ByteWriter, list: ArrayLike<number>): void {
  if (list.length <= SHORT) {
    for (let i = 0; i < list.length; i += 1)
      out.varint(list[i]! - (i === 0 ? 0 : posting(rowOf(list[i - 1]!), 0)));
    return;
  }
  const table = out.length;
  const skips = Math.max(0, Math.ceil(list.length / BLOCK) - 1);
  out.need(skips * SKIP_BYTES);
  out.length += skips * SKIP_BYTES;
  const start = out.length;
  for (let from = 0; from < list.length; from += BLOCK) {
    if (from > 0) {
      const entry = table + (from / BLOCK - 1) * SKIP_BYTES;
      out.bytes.writeUInt32LE(rowOf(list[from]!), entry);
      out.bytes.writeUInt32LE(out.length - start, entry + 4);
    }
    writeBlock(out, list, from, Math.min(list.length, from + BLOCK));
  }
}

function writeBlock(out: ByteWriter, list: ArrayLike<number>, from: number, to: number): void {
  const first = from === 0 ? 0 : rowOf(list[from]!);
  let [lowest, highest] = [IMPACTS, 0];
  for (let i = from; i < to; i += 1) {
    lowest = Math.min(lowest, impactOf(list[i]!));
    highest = Math.max(highest, impactOf(list[i]!));
  }
  const count = to - from;
  const last = rowOf(list[to - 1]!) - first - count + 1;
  const lowBits = Math.max(0, bitsOf(Math.floor(last / count)) - 1);
  const impactBits = bitsOf(highest - lowest);
  out.byte(lowBits);
  out.byte((impactBits << IMPACT_BITS) | lowest);
  const lows = out.length;
  const highs = lows + Math.ceil((count * (lowBits + impactBits)) / 8);
  const end = highs + Math.ceil((count + (last >>> lowBits)) / 8);
  out.zeros(end - lows);
  for (let i = 0; i < count; i += 1) {
    const distance = rowOf(list[from + i]!) - first - i;
    const impact = impactOf(list[from + i]!) - lowest;
    const low = ((distance & ((1 << lowBits) - 1)) << impactBits) | impact;
    out.bits(lows, i * (lowBits + impactBits), low);
    out.bits(highs, (distance >>> lowBits) + i, 1);
  }
}

/** The documents of a term, by row, in blocks. Numbers that nobody wrote lead to wrong rows, never out of bounds. */
export class Postings {
  readonly count: number;
  readonly blocks: number;
  readonly #view: DataView;
  readonly #table: number;
  readonly #start: number;
  readonly #end: number;

  constructor(view: DataView, at: number, end: number, count: number) {
    this.count = count;
    this.blocks = Math.ceil(count / BLOCK);
    this.#view = view;
    this.#table = at;
    this.#start = at + Math.max(0, this.blocks - 1) * SKIP_BYTES;
    this.#end = end;
  }

  /** At or before the first row of a block. */
  firstRowOf(block: number): number {
    return block === 0 ? 0 : this.#skip(block, 0);
  }

  /** Reads a block. @returns how many it has */
  read(block: number, rows: Uint32Array, impacts: Uint8Array): number {
    const view = this.#view;
    if (this.count <= SHORT) return this.#readShort(rows, impacts);
    const count = Math.min(BLOCK, this.count - block * BLOCK);
    const at = this.#start + (block === 0 ? 0 : this.#skip(block, 4));
    if (at + 2 > this.#end) return 0;
    const lowBits = view.getUint8(at);
    const about = view.getUint8(at + 1);
    const impactBits = about >>> IMPACT_BITS;
    const width = lowBits + impactBits;
    const highs = at + 2 + Math.ceil((width * count) / 8);
    if (width > MOST_BITS || highs > this.#end) return 0;
    const lowest = impactOf(about);
    const lowMask = (1 << width) - 1;
    const impactMask = (1 << impactBits) - 1;
    const first = this.firstRowOf(block);
    // What is read of the last numbers may be three bytes longer, but the file's checksum comes behind.
    let bit = (at + 2) * 8;
    let high = highs;
    let upper = view.getUint32(high, true);
    let zeros = 0;
    for (let i = 0; i < count; i += 1) {
      while (upper === 0) {
        high += 4;
        zeros += 32;
        if (high >= this.#end) return 0;
        upper = view.getUint32(high, true);
      }
      const one = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & lowMask;
      bit += width;
      const distance =
        ((zeros + 31 - Math.clz32(upper & -upper) - i) << lowBits) | (one >>> impactBits);
      upper &= upper - 1;
      rows[i] = first + distance + i;
      impacts[i] = lowest + (one & impactMask);
    }
    return count;
  }

  #readShort(rows: Uint32Array, impacts: Uint8Array): number {
    let at = this.#start;
    let row = 0;
    for (let i = 0; i < this.count; i += 1) {
      let one = 0;
      let byte = 0x80;
      for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
        byte = at < this.#end ? this.#view.getUint8(at) : 0;
        at += 1;
        one |= (byte & 0x7f) << shift;
      }
      row += rowOf(one);
      rows[i] = row;
      impacts[i] = impactOf(one);
    }
    return this.count;
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

  #skip(block: number, offset: number): number {
    const at = this.#table + (block - 1) * SKIP_BYTES + offset;
    if (at + 4 > this.#end) return 0;
    return offset === 0
      ? Math.min(this.#view.getUint32(at, true), MOST_ROWS)
      : this.#view.getUint32(at, true);
  }
}

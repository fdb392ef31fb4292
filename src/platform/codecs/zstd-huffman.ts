import { bitsAt, readFseTable } from './fse-table.ts';

/** The last symbol's weight follows from the other 255. */
const WEIGHTS_MAX = 255;
const WEIGHT_LOG_MAX = 6;
/** Weights go up to 12; fzstd refuses larger ones itself. */
const WEIGHT_SYMBOLS_MAX = 256;

/**
 * Checks that the weights of a Huffman table end (RFC 8878, 4.2.1.2): if states take no bits, fzstd would read them for ever.
 * @throws RangeError if they do not
 */
export function skipHuffman(bytes: Uint8Array): void {
  const head = bytes[0] ?? 0;
  if (head >= 128) return;
  const end = 1 + head;
  const { table, end: start } = readFseTable(bytes, 1, end, WEIGHT_LOG_MAX, WEIGHT_SYMBOLS_MAX);
  const last = bytes[end - 1] ?? 0;
  if (last === 0 || end > bytes.length) throw new RangeError('a Zstd table without an end');
  let at = end * 8 - 8 + (31 - Math.clz32(last)) - 2 * table.log;
  const states = [bitsAt(bytes, at + table.log, table.log), bitsAt(bytes, at, table.log)];
  for (let weights = 0; at >= start * 8; weights += 1) {
    if (weights >= WEIGHTS_MAX) throw new RangeError('a Zstd table of too many weights');
    const state = states[weights & 1]!;
    const width = table.bits[state]!;
    at -= width;
    states[weights & 1] = table.bases[state]! + bitsAt(bytes, at, width);
  }
}

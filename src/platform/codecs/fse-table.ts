/** A finite state entropy table (RFC 8878, 4.1). */
export interface FseTable {
  /** Bits of the first state. */
  log: number;
  symbols: Uint8Array;
  /** How many bits to read for the next state, which is `bases` plus their value. */
  bits: Uint8Array;
  bases: Uint16Array;
}

/** A single symbol of no bits. */
export const constantTable = (symbol: number): FseTable => ({
  log: 0,
  symbols: Uint8Array.of(symbol),
  bits: Uint8Array.of(0),
  bases: Uint16Array.of(0),
});

const highestBit = (value: number): number => 31 - Math.clz32(value);

/**
 * @param end behind the last byte that may belong to the table
 * @returns the table and its end
 * @throws RangeError for more than 2^`logMax` states or `symbolsMax` symbols
 */
export function readFseTable(
  bytes: Uint8Array,
  start: number,
  end: number,
  logMax: number,
  symbolsMax: number,
): { table: FseTable; end: number } {
  const log = ((bytes[start] ?? 0) & 15) + 5;
  if (log > logMax) throw new RangeError('a Zstd table of too many states');
  const counts: number[] = [];
  let at = start * 8 + 4;
  let left = 1 << log;
  while (left > 0 && counts.length < symbolsMax) {
    const width = highestBit(left + 1) + 1;
    const small = (1 << (width - 1)) - 1;
    const threshold = (1 << width) - 2 - left;
    let value = bitsAt(bytes, at, width);
    at += width;
    if ((value & small) < threshold) {
      at -= 1;
      value &= small;
    } else if (value > small) value -= threshold;
    // -1 is a probability below one state, which still takes one.
    counts.push(value - 1);
    left -= Math.abs(value - 1);
    for (let more = value === 1 ? 3 : 0; more === 3; ) {
      more = bitsAt(bytes, at, 2);
      at += 2;
      if (at > end * 8) break;
      for (let n = 0; n < more; n += 1) counts.push(0);
    }
  }
  const behind = (at + 7) >> 3;
  if (left !== 0 || counts.length > symbolsMax || behind > end)
    throw new RangeError('a Zstd table that does not add up');
  return { table: tableOf(counts, log), end: behind };
}

/** @param counts states of each symbol; -1 is one state at the end of the table */
export function tableOf(counts: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  const next = counts.map((count) => Math.abs(count));
  let high = size;
  for (const [symbol, count] of counts.entries()) if (count === -1) symbols[--high] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < counts.length; symbol += 1)
    for (let n = counts[symbol]!; n > 0; n -= 1) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  for (let state = 0; state < size; state += 1) {
    const symbol = symbols[state]!;
    const value = next[symbol]!;
    next[symbol] = value + 1;
    bits[state] = log - highestBit(value);
    bases[state] = (value << bits[state]!) - size;
  }
  return { log, symbols, bits, bases };
}

/** Up to 17 bits from bit `at`, lowest first; zeros beyond the end. */
export const bitsAt = (bytes: Uint8Array, at: number, width: number): number => {
  const byte = at >> 3;
  const low = (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16);
  return (low >> (at & 7)) & ((1 << width) - 1);
};

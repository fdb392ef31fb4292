/** Turns one bit over. */
export function flip(bytes: Buffer, bit: number): void {
  bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
}

/** The one bit that makes `holds` true when flipped. The bytes stay as they were. */
export function flippedBit(bytes: Buffer, holds: () => boolean): number | undefined {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    flip(bytes, bit);
    const isIt = holds();
    flip(bytes, bit);
    if (isIt) return bit;
  }
  return undefined;
}

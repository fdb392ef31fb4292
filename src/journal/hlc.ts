/**
 * Hybrid logical clock: 48 bits of wall milliseconds, 16 bits of counter. Strictly rising within an origin even
 * when the wall clock steps back.
 */
export interface Hlc {
  ms: number;
  count: number;
}

export function nextHlc(last: Hlc, wallMs: number): Hlc {
  if (wallMs > last.ms) return { ms: wallMs, count: 0 };
  return last.count === 0xffff
    ? { ms: last.ms + 1, count: 0 }
    : { ms: last.ms, count: last.count + 1 };
}

export function readHlc(bytes: Buffer, offset: number): Hlc {
  return { ms: bytes.readUIntLE(offset + 2, 6), count: bytes.readUInt16LE(offset) };
}

export function writeHlc(bytes: Buffer, hlc: Hlc, offset: number): void {
  bytes.writeUInt16LE(hlc.count, offset);
  bytes.writeUIntLE(hlc.ms, offset + 2, 6);
}

import { readU16, readU48, writeU16, writeU48 } from './bytes.ts';

/** Hybrid logical clock: 48 bits of milliseconds, 16 bits of counter. Strictly rising, even if the wall clock steps back. */
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

export const laterHlc = (a: Hlc, b: Hlc): Hlc =>
  a.ms > b.ms || (a.ms === b.ms && a.count > b.count) ? a : b;

export function readHlc(bytes: Buffer, offset: number): Hlc {
  return { ms: readU48(bytes, offset + 2), count: readU16(bytes, offset) };
}

export function writeHlc(bytes: Buffer, hlc: Hlc, offset: number): void {
  writeU16(bytes, hlc.count, offset);
  writeU48(bytes, hlc.ms, offset + 2);
}

/*
 * Fields of fixed width, little-endian. Node's own methods for them are JavaScript that each process compiles at its
 * first call, some twenty for one append: a thirtieth of an empty process. These stand in the hook's code cache.
 */

/** @throws RangeError when the field is not wholly within the bytes; so do the others */
export function readU8(bytes: Uint8Array, at: number): number {
  within(bytes, at, 1);
  return bytes[at]!;
}

export function readU16(bytes: Uint8Array, at: number): number {
  within(bytes, at, 2);
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function readU32(bytes: Uint8Array, at: number): number {
  within(bytes, at, 4);
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
  return (low | (bytes[at + 3]! << 24)) >>> 0;
}

export const readU48 = (bytes: Uint8Array, at: number): number =>
  readU16(bytes, at + 4) * 0x1_0000_0000 + readU32(bytes, at);

/** Of 64 bits, kept below 2^53 by ben10, as a plain number. */
export const readU64 = (bytes: Uint8Array, at: number): number =>
  readU32(bytes, at + 4) * 0x1_0000_0000 + readU32(bytes, at);

export const readBigU64 = (bytes: Uint8Array, at: number): bigint =>
  (BigInt(readU32(bytes, at + 4)) << 32n) | BigInt(readU32(bytes, at));

/** @throws RangeError when the field does not lie within the bytes, or cannot hold the value; so do the others */
export function writeU8(bytes: Uint8Array, value: number, at: number): void {
  writeUint(bytes, value, at, 1);
}

export function writeU16(bytes: Uint8Array, value: number, at: number): void {
  writeUint(bytes, value, at, 2);
}

export function writeU32(bytes: Uint8Array, value: number, at: number): void {
  writeUint(bytes, value, at, 4);
}

export function writeU48(bytes: Uint8Array, value: number, at: number): void {
  writeUint(bytes, value, at, 6);
}

/** A plain number, as `readU64` gives it. */
export function writeU64(bytes: Uint8Array, value: number, at: number): void {
  writeUint(bytes, value, at, 8);
}

export function writeBigU64(bytes: Uint8Array, value: bigint, at: number): void {
  writeU32(bytes, Number(value & 0xffff_ffffn), at);
  writeU32(bytes, Number(value >> 32n), at + 4);
}

function writeUint(bytes: Uint8Array, value: number, at: number, width: number): void {
  within(bytes, at, width);
  let left = value;
  for (let i = 0; i < width; i += 1) {
    bytes[at + i] = left % 0x100;
    left = Math.floor(left / 0x100);
  }
  if (left !== 0) throw new RangeError(`${value} does not fit into ${width} bytes`);
}

function within(bytes: Uint8Array, at: number, width: number): void {
  if (at < 0 || at + width > bytes.length)
    throw new RangeError(`${width} bytes at ${at} are not within ${bytes.length}`);
}

export const alignUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** True when every byte is zero: reserved fields and padding are checked, else a flip there would go unseen. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

/** Bytes of their own, which keep no larger buffer alive. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  copy.set(bytes);
  return copy;
}

/** One after the other; mostly there is only one. */
export const joined = (parts: readonly Buffer[]): Buffer =>
  parts.length === 1 ? parts[0]! : Buffer.concat(parts);

/** A Buffer over the same memory. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

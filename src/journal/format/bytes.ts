/**
 * Fields of fixed width, little-endian unless said otherwise. Node's own methods are JavaScript that each process compiles
 * anew, a thirtieth of an empty process; these are in the hook's code cache.
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

/** As MessagePack has them: the high byte first. */
export function readU16BE(bytes: Uint8Array, at: number): number {
  within(bytes, at, 2);
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function readU32BE(bytes: Uint8Array, at: number): number {
  within(bytes, at, 4);
  const high = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8);
  return (high | bytes[at + 3]!) >>> 0;
}

export const readU48 = (bytes: Uint8Array, at: number): number =>
  readU16(bytes, at + 4) * 0x1_0000_0000 + readU32(bytes, at);

/** Of 64 bits, kept below 2^53 by ben10, as a plain number. */
export const readU64 = (bytes: Uint8Array, at: number): number =>
  readU32(bytes, at + 4) * 0x1_0000_0000 + readU32(bytes, at);

export const readBigU64 = (bytes: Uint8Array, at: number): bigint =>
  (BigInt(readU32(bytes, at + 4)) << 32n) | BigInt(readU32(bytes, at));

/** @throws RangeError when the field is not within the bytes, or cannot hold the value; so do the others */
export const writeU8 = (bytes: Uint8Array, value: number, at: number): void =>
  writeUint(bytes, value, at, 1);

export const writeU16 = (bytes: Uint8Array, value: number, at: number): void =>
  writeUint(bytes, value, at, 2);

export function writeU32(bytes: Uint8Array, value: number, at: number): void {
  within(bytes, at, 4);
  if (!(value >= 0 && value < 0x1_0000_0000)) throw tooWide(value, 4);
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

export const writeU48 = (bytes: Uint8Array, value: number, at: number): void =>
  writeUint(bytes, value, at, 6);

/** A plain number, as `readU64` gives it. */
export function writeU64(bytes: Uint8Array, value: number, at: number): void {
  const high = Math.floor(value / 0x1_0000_0000);
  writeU32(bytes, value - high * 0x1_0000_0000, at);
  writeU32(bytes, high, at + 4);
}

/** Not split as BigInts, which is slow. */
export function writeBigU64(bytes: Uint8Array, value: bigint, at: number): void {
  if (BigInt.asUintN(64, value) !== value) throw tooWide(value, 8);
  sumBytes.setBigUint64(0, value, true);
  writeU32(bytes, sumBytes.getUint32(0, true), at);
  writeU32(bytes, sumBytes.getUint32(4, true), at + 4);
}

function writeUint(bytes: Uint8Array, value: number, at: number, width: number): void {
  within(bytes, at, width);
  let left = value;
  for (let i = 0; i < width; i += 1) {
    bytes[at + i] = left % 0x100;
    left = Math.floor(left / 0x100);
  }
  if (left !== 0) throw tooWide(value, width);
}

const tooWide = (value: number | bigint, width: number): RangeError =>
  new RangeError(`${value} does not fit into ${width} bytes`);

function within(bytes: Uint8Array, at: number, width: number): void {
  if (at < 0 || at + width > bytes.length)
    throw new RangeError(`${width} bytes at ${at} are not within ${bytes.length}`);
}

export const alignUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Whether a magic differs from this one only by a higher last byte, its version. */
export const isLaterMagic = (found: Uint8Array, magic: Uint8Array): boolean =>
  magic.every((byte, index) =>
    index < magic.length - 1 ? found[index] === byte : (found[index] ?? 0) > byte,
  );

/** True if every byte is zero: unchecked reserved fields and padding would hide flipped bits. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

/** The same of a part of them, of which no view has to be made. */
export function isZeroIn(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false;
  return true;
}

const sumBytes = new DataView(new ArrayBuffer(8));

/** Whether this 64-bit checksum stands there. It runs for every frame, so no BigInt is made. */
export function isSum(sum: bigint, bytes: Uint8Array, at: number): boolean {
  sumBytes.setBigUint64(0, sum, true);
  return (
    sumBytes.getUint32(0, true) === readU32(bytes, at) &&
    sumBytes.getUint32(4, true) === readU32(bytes, at + 4)
  );
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

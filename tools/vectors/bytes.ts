import { createHash } from 'node:crypto';

/** Bytes that look random and never change: the digest of a label, as often as needed. */
export function bytesOf(label: string, count: number): Buffer {
  const parts: Buffer[] = [];
  for (let part = 0; part * 32 < count; part += 1) {
    parts.push(createHash('sha256').update(`ben10 vectors: ${label} #${part}`).digest());
  }
  return Buffer.concat(parts).subarray(0, count);
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** 2026-01-01T00:00:00Z: where the vectors' time starts, milliseconds since the epoch. */
export const EPOCH_MS = 1_767_225_600_000;

/** A copy with one bit turned over. */
export function flipped(bytes: Buffer, offset: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(offset) ^ (1 << bit), offset);
  return copy;
}

/** A copy with some bytes replaced. */
export function patched(bytes: Buffer, offset: number, by: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(by, offset);
  return copy;
}

export const zeroed = (bytes: Buffer, from: number, to = bytes.length): Buffer =>
  patched(bytes, from, new Uint8Array(to - from));

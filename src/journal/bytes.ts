/** Unsigned 64-bit fields that ben10 keeps below 2^53, as plain numbers. */
export function readU64(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * 0x1_0000_0000 + bytes.readUInt32LE(offset);
}

export function writeU64(bytes: Buffer, value: number, offset: number): void {
  bytes.writeUInt32LE(value % 0x1_0000_0000, offset);
  bytes.writeUInt32LE(Math.floor(value / 0x1_0000_0000), offset + 4);
}

export const alignUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** True when every byte is zero: reserved fields and padding are checked, else a flip there would go unseen. */
export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

/** A Buffer over the same memory. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

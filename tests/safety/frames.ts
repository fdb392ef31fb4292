import { readBigU64, writeBigU64 } from '../../src/journal/format/bytes.ts';
import { FRAME, SEGMENT } from '../../src/journal/format/format.ts';
import type { Frame } from '../../src/journal/format/frame.ts';
import { decodeSegmentHeader } from '../../src/journal/format/segment.ts';
import { scanFrames } from '../../src/journal/read/scan.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { flipAt } from './machine.ts';

export function framesIn(bytes: Buffer): Frame[] {
  const header = decodeSegmentHeader(bytes, xxh64)!;
  return [...scanFrames(bytes, header, xxh64)].flatMap(({ entry: frame }) => frame ?? []);
}

/** Somebody wrote another chain into a frame, and made its sum fit. */
export function rechain(bytes: Buffer, { offset }: Frame): void {
  flipAt(bytes, offset + FRAME.chain);
  const salt = readBigU64(bytes, SEGMENT.salt);
  const sum = xxh64(bytes.subarray(offset, offset + FRAME.checksum), salt ^ BigInt(offset));
  writeBigU64(bytes, sum, offset + FRAME.checksum);
}

import { describe, expect, it } from 'vitest';
import { writeBigU64, writeU32 } from '../../../src/journal/format/bytes.ts';
import { FRAME, FRAME_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { commitOf, encodeFrame } from '../../../src/journal/format/frame.ts';
import { mendFrame } from '../../../src/journal/repair/frame.ts';
import { realPorts } from '../../support.ts';
import { entryOf, flipBit, segmentOf } from '../support.ts';

const { xxh64 } = realPorts;

/** Three frames in memory, the second of which is going to be damaged. */
function frames() {
  const { bytes, header, offsets } = segmentOf(
    ['one', 'two', 'three'].map((text) => Buffer.from(text)),
  );
  const at = offsets[1]!;
  const mend = (given = bytes, offset = at) => mendFrame(given, offset, header, xxh64);
  /** Gives the second frame's header the sum that belongs to it now. */
  const sum = (): void => {
    const fields = bytes.subarray(at, at + FRAME.checksum);
    writeBigU64(bytes, xxh64(fields, header.salt ^ BigInt(at)), at + FRAME.checksum);
  };
  return { bytes, header, at, bytesOfFrame: offsets[2]! - at, mend, sum };
}

describe('mending a frame', () => {
  it('puts any flipped bit of it right, and says how long it is', () => {
    const { bytes, at, bytesOfFrame, mend } = frames();
    const sound = Buffer.from(bytes);
    for (let bit = at * 8; bit < (at + bytesOfFrame) * 8; bit += 1) {
      flipBit(bytes, bit);
      expect(mend(), `bit ${bit}`).toBe(bytesOfFrame);
      expect(bytes.equals(sound), `bit ${bit}`).toBe(true);
    }
  });

  it('does not finish an event that its header was not written for, though its sum tells the bit', () => {
    const { bytes, header, at } = frames();
    const payload = Buffer.from('two');
    const salt = Buffer.alloc(16, 2);
    const other = entryOf(2, payload, { salt, commit: commitOf(salt, Buffer.from('another')) });
    const place = { salt: header.salt, offset: at, previousChain: Buffer.alloc(32) };
    const { frame } = encodeFrame(other, place, xxh64);
    bytes.set(frame, at);
    flipBit(bytes, (at + FRAME_HEADER_BYTES + 17) * 8);
    const before = Buffer.from(bytes);
    expect(mendFrame(bytes, at, header, xxh64)).toBeUndefined();
    expect(bytes.equals(before)).toBe(true);
  });

  it('believes no header only because its sum holds', () => {
    const { bytes, at, mend, sum } = frames();
    writeU32(bytes, 0, at + FRAME.magic);
    sum();
    const before = Buffer.from(bytes);
    expect(mend()).toBeUndefined();
    expect(bytes.equals(before)).toBe(true);
  });

  it('leaves a header as it was where the bit that its sum tells makes no frame of it', () => {
    const { bytes, at, mend, sum } = frames();
    writeU32(bytes, 0, at + FRAME.magic);
    sum();
    flipBit(bytes, (at + FRAME.seq) * 8);
    const before = Buffer.from(bytes);
    expect(mend()).toBeUndefined();
    expect(bytes.equals(before)).toBe(true);
  });

  it('mends nothing that ends behind the file', () => {
    const { bytes, at, bytesOfFrame, mend } = frames();
    for (const length of [FRAME_HEADER_BYTES - 1, bytesOfFrame - 1])
      expect(mend(Buffer.from(bytes.subarray(0, at + length)))).toBeUndefined();
  });
});

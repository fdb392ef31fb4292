import { describe, expect, it } from 'vitest';
import { encodeFrame } from '../../../src/journal/format/frame.ts';
import { readSegmentHeader } from '../../../src/journal/format/segment.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { entryOf, flipBit, segmentOf } from '../support.ts';

const payloads = (count: number) =>
  Array.from({ length: count }, (_, i) => Buffer.from(`event ${i + 1}`));

/** What a scan finds, short: seqs of whole frames, and damage. */
function scan(bytes: Buffer, header = segmentOf([]).header) {
  const seqs: number[] = [];
  const damage: string[] = [];
  const texts: string[] = [];
  for (const item of scanFrames(bytes, header, xxh64)) {
    if (item.entry !== undefined) {
      seqs.push(item.entry.seq);
      texts.push(item.entry.payload.toString('latin1'));
    } else damage.push(`${item.damage.kind} ${item.damage.firstSeq}-${item.damage.lastSeq}`);
  }
  return { seqs, damage, texts };
}

describe('a scan of an intact segment', () => {
  it('gives nothing of an empty one', () => {
    expect(scan(segmentOf([]).bytes)).toEqual({ seqs: [], damage: [], texts: [] });
  });
});

describe('a scan of a segment in which one bit is flipped', () => {
  // One payload holds a whole earlier frame: agents do read these files with their tools.
  const plain = segmentOf(payloads(3));
  const first = plain.bytes.subarray(plain.offsets[0], plain.offsets[1]);
  const all = [...payloads(3), Buffer.concat([Buffer.alloc(0), first]), Buffer.from('after')];
  const { bytes } = segmentOf(all);
  const intact = scan(bytes).texts;

  it('loses at most the one event that it stands in, reports it, and invents nothing: every bit of the file', {
    tags: 'long',
  }, () => {
    let lost = 0;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      flipBit(damaged, bit);
      const read = readSegmentHeader(damaged, 'file', xxh64);
      if (bit < 128 * 8) expect(read?.mended, `bit ${bit}`).toBe(true);
      const { texts, damage } = scan(damaged, read!.header);
      const missing = intact.filter((text) => !texts.includes(text));
      lost += missing.length;
      if (bit >= 128 * 8) expect(damage, `bit ${bit}`).toHaveLength(1);
      expect(missing.length, `bit ${bit}`).toBeLessThanOrEqual(1);
      expect(texts, `bit ${bit}`).toEqual(intact.filter((text) => texts.includes(text)));
    }
    expect(lost).toBe((bytes.length - 128) * 8);
  });

  it('loses only what intersects a zeroed sector, at every place', () => {
    const long = segmentOf(Array.from({ length: 30 }, (_, i) => Buffer.alloc(200, i + 1)));
    const { texts } = scan(long.bytes);
    for (let at = 128; at + 512 <= long.bytes.length; at += 8) {
      const damaged = Buffer.from(long.bytes).fill(0, at, at + 512);
      const found = scan(damaged);
      const hit = long.offsets.filter(
        (offset, i) => offset < at + 512 && (long.offsets[i + 1] ?? long.bytes.length) > at,
      );
      expect(found.damage.length, `at ${at}`).toBeGreaterThan(0);
      expect(texts.length - found.texts.length, `at ${at}`).toBeLessThanOrEqual(hit.length);
    }
  });
});

describe('frames that do not belong where they stand', () => {
  it('are not taken from a payload when the frame around them is damaged', () => {
    const { bytes, offsets, header } = segmentOf([
      ...payloads(2),
      Buffer.alloc(600, 1),
      Buffer.from('after'),
    ]);
    // Whoever knows the salt and foresees the offset can plant one that validates: seq and chain must fit as well.
    const at = offsets[2]! + 160;
    const planted = encodeFrame(
      entryOf(3, Buffer.from('planted')),
      { salt: header.salt, offset: at, previousChain: Buffer.alloc(32) },
      xxh64,
    );
    const behind = encodeFrame(
      entryOf(4, Buffer.from('planted too')),
      { salt: header.salt, offset: at + planted.frame.length, previousChain: Buffer.alloc(32, 5) },
      xxh64,
    );
    const damaged = Buffer.from(bytes);
    planted.frame.copy(damaged, at);
    behind.frame.copy(damaged, at + planted.frame.length);
    damaged[offsets[2]!] = 0;
    const { texts } = scan(damaged);
    expect(texts).not.toContain('planted');
  });
});

describe('holes', () => {
  it('do not end at a frame that runs past the end of the file', () => {
    const { bytes, offsets } = segmentOf(payloads(3));
    bytes[offsets[1]!] = 0;
    expect(scan(bytes.subarray(0, bytes.length - 8))).toMatchObject({
      seqs: [1],
      damage: ['tail 2-null'],
    });
  });
});

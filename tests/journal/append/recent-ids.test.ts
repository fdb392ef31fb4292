import { describe, expect, it } from 'vitest';
import { RECENT_IDS_MAX, RecentIds, SEARCHES_MAX } from '../../../src/journal/append/recent-ids.ts';
import { realPorts } from '../../support.ts';
import { segmentOf } from '../support.ts';

const idOf = (n: number) => {
  const id = Buffer.alloc(16, 0xaa);
  id.writeUInt32LE(n);
  return id;
};
/** The id that `segmentOf` gives the event of this seq. */
const inSegment = (seq: number) => Buffer.alloc(16, seq);

const payloads = (count: number) =>
  Array.from({ length: count }, (_, i) => Buffer.from(`event ${i}`));

/** A segment's whole file, and how often something of it was checksummed. */
function endOf(count: number, change: (bytes: Buffer, offsets: number[]) => void = () => {}) {
  const { bytes, header, offsets } = segmentOf(payloads(count));
  change(bytes, offsets);
  const read = { frames: 0 };
  const ports = {
    xxh64: (part: Uint8Array, seed: bigint) => {
      read.frames += 0.5; // header and body
      return realPorts.xxh64(part, seed);
    },
  };
  return { recent: new RecentIds(ports, { bytes, base: 0, salt: header.salt }), read };
}

describe('ids near the end of a segment', () => {
  it('are found with their seqs', () => {
    const { recent } = endOf(5);
    expect([1, 2, 3, 4, 5].map((seq) => recent.find(inSegment(seq)))).toEqual([1, 2, 3, 4, 5]);
    expect(recent.find(idOf(9))).toBeUndefined();
  });

  it('cost nothing to decode for the few that are not there', () => {
    const { recent, read } = endOf(50);
    for (let n = 0; n < SEARCHES_MAX; n += 1) expect(recent.find(idOf(n))).toBeUndefined();
    expect(read.frames).toBe(0);
    expect(recent.find(idOf(SEARCHES_MAX))).toBeUndefined();
    expect(read.frames).toBe(50);
    for (let n = 0; n < 100; n += 1) recent.find(idOf(n));
    expect(read.frames).toBe(50);
  });

  it('are not believed because their bytes stand somewhere: in a text, or in a damaged frame', () => {
    const { bytes, header, offsets } = segmentOf([
      Buffer.concat([Buffer.from('text '), idOf(7)]),
      Buffer.from('damaged'),
      Buffer.from('last'),
    ]);
    bytes[offsets[1]! + 140]! ^= 1;
    const recent = new RecentIds(realPorts, { bytes, base: 0, salt: header.salt });
    expect(recent.find(idOf(7))).toBeUndefined();
    expect(recent.find(inSegment(2))).toBeUndefined();
    expect(recent.find(inSegment(3))).toBe(3);
  });

  it('end where a frame is damaged', () => {
    const { recent } = endOf(6, (bytes, offsets) => {
      bytes[offsets[2]! + 140]! ^= 1;
    });
    expect([1, 2, 3, 4, 5, 6].map((seq) => recent.find(inSegment(seq)))).toEqual([
      undefined,
      undefined,
      undefined,
      4,
      5,
      6,
    ]);
  });

  it('have the seq of their first witness, also when the others were added before they were read', () => {
    const { recent } = endOf(5);
    recent.findOrAdd(idOf(1), 6);
    recent.findOrAdd(inSegment(2), 7);
    expect(recent.find(inSegment(2))).toBe(2);
    expect(recent.find(idOf(1))).toBe(6);
    recent.findOrAdd(idOf(1), 8);
    expect(recent.find(idOf(1))).toBe(6);
  });

  it('begin with those of the segment before', () => {
    const before = endOf(3).recent;
    const own = new RecentIds(realPorts);
    own.follow(before);
    expect([1, 2, 3].map((seq) => own.find(inSegment(seq)))).toEqual([1, 2, 3]);
  });

  it('are forgotten oldest first, and never so many that fewer than the limit are known', () => {
    const recent = new RecentIds(realPorts);
    for (let n = 0; n < 2 * RECENT_IDS_MAX; n += 1) recent.findOrAdd(idOf(n), n);
    expect([recent.find(idOf(0)), recent.find(idOf(5))]).toEqual([0, 5]);
    recent.findOrAdd(idOf(5), 999);
    expect(recent.find(idOf(5))).toBe(5);
    recent.findOrAdd(idOf(2 * RECENT_IDS_MAX), 1);
    const known = [0, RECENT_IDS_MAX - 1, RECENT_IDS_MAX, 2 * RECENT_IDS_MAX].map((n) =>
      recent.find(idOf(n)),
    );
    expect(known).toEqual([undefined, undefined, RECENT_IDS_MAX, 1]);
  });
});

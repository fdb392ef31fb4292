import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hlc, nextHlc, readHlc, writeHlc } from '../../../src/journal/format/hlc.ts';

const value = ({ ms, count }: Hlc): bigint => BigInt(ms) * 65536n + BigInt(count);

describe('the hybrid logical clock', () => {
  it('takes the wall clock when that is ahead, and counts when it is not', () => {
    expect(nextHlc({ ms: 10, count: 3 }, 11)).toEqual({ ms: 11, count: 0 });
    expect(nextHlc({ ms: 10, count: 3 }, 10)).toEqual({ ms: 10, count: 4 });
    expect(nextHlc({ ms: 10, count: 3 }, 2)).toEqual({ ms: 10, count: 4 });
  });

  it('borrows a millisecond when the counter is full', () => {
    expect(nextHlc({ ms: 10, count: 65535 }, 10)).toEqual({ ms: 11, count: 0 });
    expect(nextHlc({ ms: 10, count: 65534 }, 10)).toEqual({ ms: 10, count: 65535 });
  });

  it('rises strictly, whatever the wall clock does', () => {
    const start = fc.record({ ms: fc.nat(1000), count: fc.nat(65535) });
    fc.assert(
      fc.property(start, fc.array(fc.nat(2000)), (first, walls) => {
        let last = first;
        for (const wall of walls) {
          const next = nextHlc(last, wall);
          expect(value(next)).toBeGreaterThan(value(last));
          last = next;
        }
      }),
    );
  });

  it('is stored as one number: milliseconds times 65536 plus the counter', () => {
    const hlc = fc.record({ ms: fc.nat(2 ** 48 - 1), count: fc.nat(65535) });
    fc.assert(
      fc.property(hlc, (one) => {
        const bytes = Buffer.alloc(8);
        writeHlc(bytes, one, 0);
        expect(bytes.readBigUInt64LE()).toBe(value(one));
        expect(readHlc(bytes, 0)).toEqual(one);
      }),
    );
  });
});

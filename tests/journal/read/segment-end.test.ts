import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeFooter } from '../../../src/journal/format/footer.ts';
import { SEGMENT_FLAG } from '../../../src/journal/format/format.ts';
import { endOf } from '../../../src/journal/read/segment-end.ts';
import { realPorts } from '../../support.ts';
import { compact, fourSegments } from '../journals.ts';
import { readerOn } from '../support.ts';

type Segment = ReturnType<ReturnType<typeof readerOn>['segments']>[number];

describe('the end of a segment', () => {
  it('is the same when it was sealed since it was listed', () => {
    const root = fourSegments();
    const listed = readerOn(root).segments()[2]!;
    expect(listed).toMatchObject({ sealed: false, firstSeq: 7 });
    const before = endOf(realPorts, listed, 0);
    compact(root);
    expect(readerOn(root).segments()[2]).toMatchObject({ sealed: true, firstSeq: 7 });
    const { seq, hlc, chain, flags } = endOf(realPorts, listed, 0);
    expect({ seq, hlc, flags }).toEqual({ seq: before.seq, hlc: before.hlc, flags: before.flags });
    expect(seq).toBe(9);
    expect(chain.equals(before.chain)).toBe(true);
  });

  it('is by its own chunks where the footer is another segment’s, and by its footer where only the index is damaged', () => {
    const root = fourSegments();
    compact(root);
    const [first, , third] = readerOn(root).segments() as [Segment, Segment, Segment];
    const own = endOf(realPorts, third, 0);
    expect(own).toMatchObject({ seq: 9, flags: 0 });
    const whole = readFileSync(third.path);
    const footer = decodeFooter(whole, realPorts.xxh64)!;
    const foreign = readFileSync(first.path);
    const { indexOffset } = decodeFooter(foreign, realPorts.xxh64)!;
    const other = [whole.subarray(0, footer.indexOffset), foreign.subarray(indexOffset)];
    writeFileSync(third.path, Buffer.concat(other));
    const behind = endOf(realPorts, third, 0);
    expect(behind).toMatchObject({ seq: 9, flags: SEGMENT_FLAG.afterDamage });
    expect(behind.chain.equals(own.chain)).toBe(true);
    const flipped = Buffer.from(whole);
    flipped[footer.indexOffset + 3]! ^= 1;
    writeFileSync(third.path, flipped);
    expect(endOf(realPorts, third, 0)).toEqual(own);
  });
});

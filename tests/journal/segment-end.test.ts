import { describe, expect, it } from 'vitest';
import { compactJournal } from '../../src/journal/compact.ts';
import { endOf } from '../../src/journal/segment-end.ts';
import { realPorts } from '../support.ts';
import { codecs, fourSegments } from './journals.ts';
import { readerOn } from './support.ts';

describe('the end of a segment', () => {
  it('is the same when it was sealed since it was listed', () => {
    const root = fourSegments();
    const listed = readerOn(root).segments()[2]!;
    expect(listed).toMatchObject({ sealed: false, firstSeq: 7 });
    const before = endOf(realPorts, listed, 0);
    compactJournal(realPorts, root, codecs);
    expect(readerOn(root).segments()[2]).toMatchObject({ sealed: true, firstSeq: 7 });
    const { seq, hlc, chain, flags } = endOf(realPorts, listed, 0);
    expect({ seq, hlc, flags }).toEqual({ seq: before.seq, hlc: before.hlc, flags: before.flags });
    expect(seq).toBe(9);
    expect(chain.equals(before.chain)).toBe(true);
  });
});

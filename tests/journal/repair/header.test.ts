import { describe, expect, it } from 'vitest';
import { SEGMENT, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { Chance } from '../../damage/chance.ts';
import { craftJournal, inChunks, portsOn } from '../../damage/corpus.ts';
import { flipped } from '../../damage/damages.ts';
import { entriesOf } from '../../damage/entries.ts';
import {
  decoders,
  journalInMemory,
  layout,
  makers,
  offsetsOf,
  plan,
  ROOT,
  repair,
  seqsOf,
} from './repairs.ts';

const headerIn = (bytes: Buffer) =>
  decodeSegmentHeader(bytes.subarray(0, SEGMENT_HEADER_BYTES), makers.xxh64)!;

/** Damages what a header says of the journal and the origin: more than one bit, and nothing else. */
const losesNames = (bytes: Buffer) =>
  void bytes.fill(0xee, SEGMENT.journalId, SEGMENT.journalId + 32);

describe('a header that is made anew', () => {
  it('keeps what it said of damage before it, and the chain, where nothing else knows them', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const at = offsetsOf(ports)[1]!;
    damage(segments()[0]!, (bytes) => void bytes.fill(0, at + 150, at + 170));
    repair(ports);
    const behind = segments()[1]!;
    expect(behind).toContain('0000000000000003.b10');
    const sound = fs.bytesOf(behind);
    expect(headerIn(sound)).toMatchObject({ firstSeq: 3, flags: SEGMENT_FLAG.afterDamage });
    expect(headerIn(sound).prevChain.equals(Buffer.alloc(32))).toBe(false);
    damage(behind, losesNames);
    expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'rebuild' }]);
    const { lost, after } = repair(ports);
    expect(lost).toEqual([]);
    expect(after.ok).toBe(true);
    const { flags, prevChain } = headerIn(fs.bytesOf(behind));
    expect(flags).toBe(SEGMENT_FLAG.afterDamage);
    expect(prevChain.equals(headerIn(sound).prevChain)).toBe(true);
    expect(seqsOf(ports)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('says that the chain before it is lost where a sealed segment before it is', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    const [first, second] = segments();
    fs.unlink(first!);
    damage(second!, (bytes) => void bytes.fill(0, 0, SEGMENT.salt));
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 1, lastSeq: 3 }]);
    expect(after.damage).toEqual([]);
    expect(headerIn(fs.bytesOf(second!)).prevChain.equals(Buffer.alloc(32))).toBe(true);
    expect(seqsOf(ports).slice(0, 3)).toEqual([4, 5, 6]);
  });

  it('is not made for events whose seq is not the one in the file’s name', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const [first, second] = segments();
    const misnamed = second!.replace('4.b10', '3.b10');
    fs.rename(second!, misnamed);
    fs.unlink(first!);
    damage(misnamed, losesNames);
    expect(plan(ports)).toContainEqual(
      expect.objectContaining({ kind: 'segment-header', action: 'set-aside', firstSeq: 3 }),
    );
  });

  it('needs nobody to say whose journal it is: manifest and headers may all be lost', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    for (const file of segments()) damage(file, losesNames);
    fs.unlink(layout.manifest);
    expect(plan(ports).map(({ action }) => action)).toEqual(Array(4).fill('rebuild'));
    const { lost, after } = repair(ports);
    expect(lost).toEqual([]);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('asks the chain whose a segment is, and what its header says where nobody knows the chain', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const others = new Chance(3).bytes(32);
    const [first, second, third] = segments();
    damage(second!, (bytes) => void bytes.set(others, SEGMENT.journalId));
    expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'rebuild' }]);
    damage(third!, (bytes) => void bytes.set(others, SEGMENT.journalId));
    for (const file of [first!, second!]) fs.unlink(file);
    expect(plan(ports)).toContainEqual(
      expect.objectContaining({ kind: 'segment-header', action: 'set-aside' }),
    );
  });

  describe('of a journal’s first segment, which follows on nothing,', () => {
    const kinds = [
      ['raw', (seed: number) => entriesOf(1, 6, 40 + seed)],
      ['sealed', (seed: number) => ({ chunks: inChunks(entriesOf(1, 6, 40 + seed), 3) })],
    ] as const;

    it.each(kinds)(
      'is not made for another journal’s segment that lies in its place, damaged or not: %s',
      (_, planOf) => {
        const own = craftJournal('own', [planOf(0)], 0, makers);
        const ports = portsOn(own.fs, makers.xxh64, new Chance(1));
        const other = craftJournal('another', [planOf(9)], 0, makers);
        const stranger = other.fs.bytesOf(other.target);
        for (const bits of [[], [0, 70], [130, 200, 300], [400, 401, 640, 650]]) {
          const bytes = bits.reduce((one, bit) => flipped(one, bit), stranger);
          own.fs.rot(own.target, bytes);
          expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'set-aside' }]);
        }
        const { lost, kept, after } = repair(ports);
        expect(lost).toMatchObject([{ firstSeq: 1 }]);
        expect(kept).toHaveLength(1);
        expect(after.ok).toBe(true);
        expect([...own.written.keys()].filter((seq) => seqsOf(ports).includes(seq))).toEqual([]);
      },
    );

    it.each(kinds)(
      'is made where a few bits of what it says are not what they were: %s',
      (_, planOf) => {
        const own = craftJournal('own', [planOf(0)], 0, makers);
        const ports = portsOn(own.fs, makers.xxh64, new Chance(1));
        const sound = own.fs.bytesOf(own.target);
        const before = seqsOf(ports);
        for (const field of [SEGMENT.magic, SEGMENT.journalId, SEGMENT.originId])
          for (const count of [2, 8]) {
            const bits = Array.from({ length: count }, (__, n) => field * 8 + n * 9);
            own.fs.rot(
              own.target,
              bits.reduce((one, bit) => flipped(one, bit), sound),
            );
            expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'rebuild' }]);
          }
        const { lost, after } = repair(ports);
        expect(lost).toEqual([]);
        expect(after.ok).toBe(true);
        expect(seqsOf(ports).slice(0, before.length)).toEqual(before);
      },
    );
  });
});

import { describe, expect, it } from 'vitest';
import {
  FRAME_HEADER_BYTES,
  FRAME_KIND,
  FRAME_TRAILER_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
} from '../../../src/journal/format/format.ts';
import { encodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { resalted } from '../../../src/journal/repair/salt.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { craftJournal, payloadOf } from '../../damage/corpus.ts';
import { entriesOf as entriesIn, entryOf } from '../../damage/entries.ts';
import {
  decoders,
  entriesOf,
  journalInMemory,
  layout,
  makers,
  offsetsOf,
  plan,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

const FRAME_BYTES_MIN = FRAME_HEADER_BYTES + FRAME_TRAILER_BYTES;
/** Events that were erased, from the first seq on. */
const tombstones = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    entryOf(first + n, payloadOf({ n }), FRAME_KIND.tombstone),
  );

const losesHeader = (bytes: Buffer) => void bytes.fill(0, 0, SEGMENT_HEADER_BYTES);

describe('a segment whose header is lost with its salt', () => {
  for (const [what, index] of [
    ['the first one', 0],
    ['one between others', 1],
    ['the one that is appended to', -1],
  ] as const)
    it(`is read again, every event of it, under a new salt: ${what}`, () => {
      const { fs, ports, segments, damage } = journalInMemory();
      const before = seqsOf(ports);
      const file = segments().at(index)!;
      damage(file, losesHeader);
      const wrong = fs.bytesOf(file);
      expect(verify(ports).damage).toMatchObject([{ kind: 'segment-header' }]);
      expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'rebuild' }]);
      const { lost, kept, after } = repair(ports);
      expect(lost).toEqual([]);
      expect(after).toMatchObject({ ok: true, damage: [] });
      expect(seqsOf(ports).slice(0, before.length)).toEqual(before);
      expect(kept.some((name) => fs.bytesOf(`${layout.quarantine}/${name}`).equals(wrong))).toBe(
        true,
      );
    });

  it('loses no more than the events whose bytes are gone with it', () => {
    const { ports, segments, damage } = journalInMemory();
    const second = segments()[1]!;
    damage(second, (bytes) => {
      losesHeader(bytes);
      bytes.fill(0, SEGMENT_HEADER_BYTES, SEGMENT_HEADER_BYTES + 64);
    });
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 4, lastSeq: 4 }]);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports).slice(0, 9)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10]);
  });

  it('loses an event in its middle that was changed: its commitment tells', () => {
    const { ports, segments, damage } = journalInMemory();
    const at = offsetsOf(ports)[4]!;
    damage(segments()[1]!, (bytes) => {
      losesHeader(bytes);
      bytes.fill(0x7f, at + FRAME_HEADER_BYTES + 20, at + FRAME_HEADER_BYTES + 24);
    });
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 5, lastSeq: 5 }]);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports)).toContain(4);
    expect(seqsOf(ports)).toContain(6);
  });

  it('takes no event whose place nothing proves: none that is whole stands before or behind it', () => {
    const { ports, segments, damage } = journalInMemory();
    const [at, behind] = [offsetsOf(ports)[4]!, offsetsOf(ports)[5]!];
    damage(segments()[1]!, (bytes) => void bytes.fill(0, 0, at).fill(0, behind));
    const { after } = repair(ports);
    expect(after).toMatchObject({ ok: true, losses: [{ firstSeq: 4, lastSeq: 6 }] });
    expect(seqsOf(ports)).not.toContain(5);
  });

  it('takes none behind lost bytes that do not go on to the end: anybody can put such frames into a text', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const other = journalInMemory(61);
    const [second] = segments();
    const foreign = other.fs.bytesOf(other.segments()[0]!);
    const planted = foreign.subarray(offsetsOf(other.ports)[1]!);
    damage(second!, (bytes) => {
      losesHeader(bytes);
      // Two whole frames that follow on each other, where there was room for one before them, and behind them the second event.
      const behind = bytes.subarray(offsetsOf(ports)[1]!);
      const lost = bytes.subarray(0, SEGMENT_HEADER_BYTES + FRAME_BYTES_MIN);
      return Buffer.concat([lost.fill(0, SEGMENT_HEADER_BYTES), planted, behind]);
    });
    const wrong = fs.bytesOf(second!);
    const { lost } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 1, lastSeq: 1 }]);
    const ids = entriesOf(ports).map(({ id }) => id.toString('hex'));
    const foreignIds = entriesOf(other.ports).map(({ id }) => id.toString('hex'));
    expect(ids.filter((id) => foreignIds.includes(id))).toEqual([]);
    expect(wrong.includes(planted)).toBe(true);
  });

  it('takes none of another journal’s behind lost bytes where the salt is what it was and only its sum is lost', () => {
    const { ports, segments, damage } = journalInMemory();
    const other = journalInMemory(61);
    const foreign = other.fs.bytesOf(other.segments()[1]!);
    const [, at] = offsetsOf(other.ports).slice(3);
    damage(segments()[1]!, (bytes) => {
      const rest = Buffer.from(foreign.subarray(SEGMENT_HEADER_BYTES)).fill(
        0,
        0,
        at! - SEGMENT_HEADER_BYTES,
      );
      return Buffer.concat([bytes.subarray(0, SEGMENT.checksum), Buffer.alloc(8), rest]);
    });
    expect(plan(ports)).toMatchObject([{ action: 'set-aside', firstSeq: 4, lastSeq: 6 }]);
    expect(repair(ports).after.ok).toBe(true);
    expect(seqsOf(ports).slice(0, 6)).toEqual([1, 2, 3, 7, 8, 9]);
  });

  it('takes none that is followed on by another but is not whole itself, nor that other one', () => {
    const { ports, segments, damage } = journalInMemory();
    const [at, behind] = [offsetsOf(ports)[4]!, offsetsOf(ports)[5]!];
    damage(segments()[1]!, (bytes) => {
      bytes.fill(0, 0, at).fill(0x7f, at + FRAME_HEADER_BYTES + 20, at + FRAME_HEADER_BYTES + 24);
      expect(bytes.length).toBeGreaterThan(behind);
    });
    expect(repair(ports).after).toMatchObject({ ok: true, losses: [{ firstSeq: 4, lastSeq: 6 }] });
  });

  it('is read again to its end where that is an event that was erased: no frame is shorter', () => {
    const { fs, ports, root, target, written } = craftJournal(
      'x',
      [tombstones(1, 3), entriesIn(4, 1, 9)],
      0,
      makers,
    );
    fs.rot(target, Buffer.from(fs.bytesOf(target)).fill(0, 0, SEGMENT_HEADER_BYTES));
    const locked = { ...ports, lock: { tryLock: () => true, unlock: () => undefined } };
    expect(repairJournal(locked, root, decoders)).toMatchObject({ lost: [], after: { ok: true } });
    expect(seqsOf(ports).slice(0, written.size)).toEqual([...written.keys()]);
  });

  it('takes no event of another history, though all of them are whole and follow on each other', () => {
    const { ports, segments, damage } = journalInMemory();
    const other = journalInMemory(61);
    const foreign = other.fs.bytesOf(other.segments()[1]!);
    damage(segments()[1]!, () => Buffer.from(foreign).fill(0, 0, SEGMENT_HEADER_BYTES));
    expect(plan(ports)).toMatchObject([{ action: 'set-aside', firstSeq: 4, lastSeq: 6 }]);
  });

  it('is not where what is there is no frame, however much of it claims to be one', () => {
    const { ports, segments, damage } = journalInMemory();
    damage(segments()[1]!, (bytes) => {
      const claim = Buffer.from('4231304601008000ffff0f00', 'hex');
      return Buffer.alloc(bytes.length, claim);
    });
    expect(plan(ports)).toMatchObject([{ action: 'set-aside' }]);
    expect(repair(ports).after.ok).toBe(true);
  });

  it.each([8, 52, 100, SEGMENT_HEADER_BYTES])(
    'is not where nothing is left but the first %i bytes of a header whose beginning is lost',
    (bytes) => {
      const { ports, segments, damage } = journalInMemory();
      damage(segments()[1]!, (all) => all.subarray(0, bytes).fill(0, 0, 8));
      expect(plan(ports)).toMatchObject([{ action: 'set-aside', firstSeq: 4, lastSeq: 6 }]);
      expect(repair(ports).after.ok).toBe(true);
    },
  );

  it('is not where it is sealed: sums alone tell its chunks', () => {
    const { ports, segments, damage } = journalInMemory();
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    damage(segments()[1]!, losesHeader);
    expect(plan(ports)).toMatchObject([{ action: 'set-aside' }]);
  });

  it.each([8, 60, 127, 143])(
    'ends with %i bytes of a frame: the rest of it was never there',
    (bytes) => {
      const { ports, segments, damage } = journalInMemory();
      damage(segments()[1]!, (all) => {
        losesHeader(all);
        return Buffer.concat([
          all,
          all.subarray(SEGMENT_HEADER_BYTES, SEGMENT_HEADER_BYTES + bytes),
        ]);
      });
      const { lost, after } = repair(ports);
      expect(lost).toEqual([]);
      expect(after.ok).toBe(true);
      expect(seqsOf(ports).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    },
  );

  it('says that the chain before it is unknown where nobody knows it', () => {
    const { fs, ports, segments } = journalInMemory();
    const bytes = fs.bytesOf(segments()[1]!);
    const file = { origin: 'a'.repeat(32), firstSeq: 4, sealed: false, path: segments()[1]! };
    const around = { file, journalId: 'b'.repeat(32), chainBefore: undefined };
    const headless = Buffer.from(bytes);
    losesHeader(headless);
    const found = resalted(headless, around, ports)!;
    expect(encodeSegmentHeader(found.header, ports.xxh64)).toHaveLength(SEGMENT_HEADER_BYTES);
    expect(found.header.prevChain.equals(Buffer.alloc(32))).toBe(true);
  });
});

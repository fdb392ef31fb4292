import { describe, expect, it } from 'vitest';
import { SEGMENT } from '../../../src/journal/format/format.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { flipped } from '../../damage/damages.ts';
import {
  decoders,
  journalInMemory,
  makers,
  offsetsOf,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

/** Loses what a header says of the journal and the origin: it can be made anew, but no append waits for that. */
const losesNames = (bytes: Buffer) =>
  void bytes.fill(0xee, SEGMENT.journalId, SEGMENT.journalId + 32);

describe('damage that a writer went on behind before it was repaired', () => {
  it('of any bit of the newest event is put right, and the journal is sound', () => {
    const { ports, segments, fs } = journalInMemory(4);
    const start = offsetsOf(ports).at(-1)!;
    const end = fs.bytesOf(segments().at(-1)!).length;
    for (let bit = start * 8; bit < end * 8; bit += 7) {
      const own = journalInMemory(4);
      own.damage(own.segments().at(-1)!, (bytes) => flipped(bytes, bit));
      own.append(2);
      const { lost, after } = repair(own.ports);
      expect([lost, after.damage], `bit ${bit}`).toEqual([[], []]);
      expect(seqsOf(own.ports).slice(0, 9), `bit ${bit}`).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
  });

  it('of a header with one small event, and of the one behind it, is put right', () => {
    const { ports, rotate, append, segments, damage } = journalInMemory(4);
    rotate();
    append(1, 0);
    damage(segments().at(-1)!, losesNames);
    append(1, 0);
    damage(segments().at(-1)!, losesNames);
    append(1, 0);
    // Seqs that the damaged file may have held were left out; nobody has events of them.
    expect(repair(ports).after.damage).toEqual([]);
    expect(seqsOf(ports)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  });

  it('leaves a journal that can be packed, and is sound then, too', () => {
    const { ports, segments, append, damage } = journalInMemory();
    const at = offsetsOf(ports).at(-1)!;
    damage(segments().at(-1)!, (bytes) => flipped(bytes, (at + 130) * 8));
    append(2);
    repair(ports);
    append(2);
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    expect(segments().filter((name) => name.endsWith('z')).length).toBeGreaterThan(2);
    expect(verify(ports).damage).toEqual([]);
  });

  it('is told where nobody repaired it, and costs what it cost', () => {
    const { ports, segments, append, damage } = journalInMemory();
    const at = offsetsOf(ports).at(-1)!;
    damage(segments().at(-1)!, (bytes) => flipped(bytes, (at + 130) * 8));
    append(1);
    expect(verify(ports).damage).toMatchObject([{ kind: 'body', firstSeq: 9, lastSeq: 9 }]);
  });
});

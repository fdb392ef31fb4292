import { describe, expect, it } from 'vitest';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import {
  decoders,
  journalInMemory,
  makers,
  plan,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

/** Three segments of three events, the first two sealed, of which the first is damaged behind its events. */
function damagedBehindEvents() {
  const made = journalInMemory();
  compactJournal(made.ports, ROOT, { zstd: makers.zstd, decoders });
  const [first, second] = made.segments() as [string, string];
  made.damage(first, (bytes) => bytes.subarray(0, bytes.length - 4));
  /** A file that holds no segment, under the name of one that begins with an event of the first. */
  const stray = (seq: number) => {
    const name = first.replace(/0+1(?=\.b10z$)/, String(seq).padStart(16, '0'));
    const bytes = Buffer.from('no segment'.repeat(20));
    made.fs.write(made.fs.open(name, 'wx'), bytes, 0);
  };
  return { ...made, second, stray };
}

const lostOf = (items: { firstSeq: number | null; lastSeq: number | null }[]) =>
  items.flatMap(({ firstSeq, lastSeq }) => (firstSeq === null ? [] : [[firstSeq, lastSeq]]));

describe('what a repair is planned to give up', () => {
  it('is no event that stands in the segment before, whose name a file without a header bears', () => {
    const { ports, stray } = damagedBehindEvents();
    stray(2);
    expect(lostOf(plan(ports))).toEqual([]);
    expect(repair(ports).lost).toEqual([]);
    expect(seqsOf(ports)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('is what is gone behind them', () => {
    const { ports, fs, second, stray } = damagedBehindEvents();
    fs.unlink(second);
    stray(2);
    expect(lostOf(plan(ports))).toEqual([[4, 6]]);
    expect(repair(ports).lost).toMatchObject([{ firstSeq: 4, lastSeq: 6 }]);
    expect(verify(ports).ok).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { Chance } from '../../damage/chance.ts';
import { craftJournal, portsOn, smallJournals } from '../../damage/corpus.ts';
import { makers, plan, quarantined, repair, seqsOf } from './repairs.ts';

describe('a raw segment in which events are missing between sound ones', () => {
  it('falls into two, and that they are lost is recorded: there is nothing to take out', () => {
    const entries = [...smallJournals(makers)[0]!.written.values()];
    const kept = entries.filter(({ seq }) => seq !== 3 && seq !== 4);
    const { fs } = craftJournal('a gap', [kept.slice(0, 4), kept.slice(4)], 0, makers);
    const ports = portsOn(fs, makers.xxh64, new Chance(5));
    expect(plan(ports)).toMatchObject([
      { kind: 'gap', bytes: 0, firstSeq: 3, lastSeq: 4, what: expect.stringContaining('missing') },
    ]);
    const before = seqsOf(ports);
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 3, lastSeq: 4 }]);
    expect(after.damage).toEqual([]);
    expect(seqsOf(ports).slice(0, -1)).toEqual(before);
    expect(quarantined(fs).filter(([, bytes]) => bytes.length === 0)).toEqual([]);
  });
});

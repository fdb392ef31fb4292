import { decompress as unzstd } from 'fzstd';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHUNK_HEADER_BYTES, SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { unzstdInJs } from '../../src/platform/codecs/zstd-read.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { cut, damageByChance, flipBits, newTally } from './campaign.ts';
import { Chance } from './chance.ts';
import { largeJournals, portsOn } from './corpus.ts';
import { allBits, flipped } from './damages.ts';
import { newDecoders } from './decoders.ts';
import { assertAgreed, independentReader } from './independent.ts';
import type { TestJournal } from './journal.ts';
import { manyJournals } from './many.ts';
import { MemoryFs } from './memory-fs.ts';
import { assertContained, assertHonest, look, Violation } from './oracle.ts';
import { assertInOrder, assertRecorded, repairer } from './repaired.ts';

const decoders = newDecoders();
const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
const small = manyJournals(makers);
const large = largeJournals(makers);
const named = (name: string): TestJournal => small.find((one) => one.name === name)!;
const readApart = await independentReader();
/** The same damage each time, or another seed's; the driver goes further. */
const seed = Number(process.env.BEN10_SEED);

describe(`damage to one segment (seed ${seed})`, () => {
  it('is not there before it is done', () => {
    for (const journal of [...small, ...large])
      expect({ name: journal.name, ...look(journal, decoders) }).toMatchObject({
        name: journal.name,
        damage: [],
        lost: [],
      });
  });

  it.each(['raw, one event', 'sealed, one chunk'])(
    'of any single bit is seen, named, and costs one event or one chunk: %s',
    { tags: 'long' },
    (name) => {
      const tally = newTally();
      flipBits(named(name), decoders, tally, { chance: new Chance(seed) });
      expect(tally.violations).toEqual([]);
      expect(tally.damaged).toBe(named(name).fs.bytesOf(named(name).target).length * 8);
    },
  );

  it('by a cut at any length is seen, and nothing is invented', () => {
    const tally = newTally();
    const chance = new Chance(seed);
    cut(named('raw, one event'), decoders, tally, chance);
    for (const journal of small) cut(journal, decoders, tally, chance, 30);
    for (const journal of large) cut(journal, decoders, tally, chance, 5);
    expect(tally.violations).toEqual([]);
  });

  it('of a footer that is another segment’s hides nothing of what the next one lost', () => {
    const journal = named('raw, behind a sealed one');
    const other = named('sealed, alone').fs;
    const fs = new MemoryFs(journal.fs.image());
    const [sealed] = [...fs.image().files.keys()].filter((file) => file.endsWith('.b10z'));
    const stranger = other.bytesOf(named('sealed, alone').target);
    const header = fs.bytesOf(sealed!).subarray(0, SEGMENT_HEADER_BYTES);
    fs.rot(sealed!, Buffer.concat([header, stranger.subarray(SEGMENT_HEADER_BYTES)]));
    const { start } = journal.stretches.at(-3)!;
    fs.rot(journal.target, fs.bytesOf(journal.target).subarray(0, start + 40));
    const damaged = { ...journal, fs, ports: portsOn(fs, makers.xxh64, new Chance(1)) };
    const found = look(damaged, decoders);
    expect(found.damage).toContainEqual(
      expect.objectContaining({ kind: 'tail', offset: start, firstSeq: 7, lastSeq: 9 }),
    );
    assertAgreed(damaged, found, readApart(damaged));
  });
});

describe('a bit that one Zstd decoder refuses and another passes by', () => {
  it('costs one reader the chunk, and the other may have its events as they were written', () => {
    const journal = named('sealed, alone');
    const { start, end } = journal.stretches[1]!;
    const bytes = journal.fs.bytesOf(journal.target);
    const at = start + CHUNK_HEADER_BYTES;
    const plain = unzstd(bytes.subarray(at, end));
    const bit = [...allBits(end - at)].find((one) => {
      const stored = flipped(bytes.subarray(at, end), one);
      return !unpacks(() => unzstdInJs(stored, plain.length)) && isSame(stored, plain);
    })!;
    const broken = flipped(bytes, at * 8 + bit);
    for (const image of [broken, flipped(flipped(broken, 2 * 8), 1300 * 8)]) {
      const fs = new MemoryFs(journal.fs.image());
      fs.rot(journal.target, image);
      const damaged = { ...journal, fs, ports: portsOn(fs, makers.xxh64, new Chance(1)) };
      const found = look(damaged, decoders);
      expect(found.damage).toContainEqual(
        expect.objectContaining({ kind: 'chunk', offset: start, firstSeq: 4, lastSeq: 6 }),
      );
      const other = readApart(damaged);
      assertAgreed(damaged, found, other);
      const changed = other.events.map((event, index) =>
        index === 3 ? { ...event, payload: Buffer.from('another') } : event,
      );
      expect(() => assertAgreed(damaged, found, { ...other, events: changed })).toThrow(Violation);
      expect(() =>
        assertAgreed(damaged, found, { ...other, events: other.events.slice(0, -1) }),
      ).toThrow(Violation);
    }
  });

  const isSame = (stored: Buffer, plain: Uint8Array): boolean =>
    unpacks(() => expect(unzstd(stored)).toEqual(plain));
  const unpacks = (unpack: () => unknown): boolean => {
    try {
      unpack();
      return true;
    } catch {
      return false;
    }
  };
});

describe('a repair of damage by chance', () => {
  it('loses nothing that could be read, and throws nothing away', { tags: 'long' }, () => {
    const tally = newTally();
    const repaired = newTally();
    for (const journal of small)
      damageByChance(
        journal,
        small,
        decoders,
        tally,
        { seed, count: 8 },
        repairer({ ...makers, decoders }, readApart, repaired, seed),
      );
    expect(repaired.violations).toEqual([]);
    expect(repaired.damaged).toBeGreaterThan(50);
  });
});

describe('the oracle', () => {
  /** A journal with one bit of its first frame's payload turned over. */
  const damaged = () => {
    const journal = named('raw, alone');
    const sound = journal.fs.bytesOf(journal.target);
    const byte = journal.stretches[0]!.start + 200;
    journal.fs.rot(journal.target, flipped(sound, byte * 8));
    onTestFinished(() => journal.fs.rot(journal.target, sound));
    return { journal, byte, found: look(journal, decoders) };
  };

  it('refuses an event that is not what was written', () => {
    const { journal, found } = damaged();
    const [first] = found.entries;
    const forged = { ...first!, payload: Buffer.from('x') };
    expect(() => assertHonest(journal, { ...found, entries: [forged] })).toThrow(Violation);
    const unknown = { ...first!, seq: 999 };
    expect(() => assertHonest(journal, { ...found, entries: [unknown] })).toThrow(/never written/);
    expect(() => assertHonest(journal, { ...found, entries: [first!, first!] })).toThrow(/behind/);
  });

  it('refuses a loss that nobody reports', () => {
    const { journal, found } = damaged();
    expect(found.lost).toEqual([1]);
    expect(() => assertHonest(journal, found)).not.toThrow();
    expect(() => assertHonest(journal, { ...found, damage: [], isOk: true })).toThrow(/lost/);
  });

  it('refuses a loss that a reader passes by, and one of an event that is there', () => {
    const { journal, found } = damaged();
    expect(found.passedBy).toEqual([]);
    expect(() => assertHonest(journal, { ...found, passedBy: [1] })).toThrow(/in silence/);
    const wider = found.damage.map((one) => ({ ...one, lastSeq: 2 }));
    expect(() => assertHonest(journal, { ...found, damage: wider })).toThrow(/@2 is there/);
  });

  it('refuses a repair behind which an event has the seq of another, stands twice or is recorded as lost', () => {
    const { journal } = damaged();
    const [first, second] = [...journal.written.values()];
    const later = { ...second!, id: Buffer.alloc(16, 0xaa) };
    const isNew = (one: Entry) => one === later;
    expect(() => assertInOrder(journal, [first!, second!], isNew)).not.toThrow();
    expect(() => assertInOrder(journal, [first!, later], isNew)).toThrow(/another event's/);
    expect(() => assertInOrder(journal, [second!, first!], isNew)).toThrow(/comes behind/);
    const twice = { ...second!, id: first!.id };
    expect(() => assertInOrder(journal, [first!, twice], isNew)).toThrow(/twice/);
    const early = { ...second!, hlc: first!.hlc };
    expect(() => assertInOrder(journal, [first!, early], isNew)).toThrow(/clock/);
    const loss = { segment: 'x.b10', firstSeq: 1, lastSeq: 1, recordedAt: 99 };
    expect(() => assertRecorded([loss], [second!])).not.toThrow();
    expect(() => assertRecorded([loss], [first!])).toThrow(/@1 is there/);
  });

  it('refuses a flip that nobody saw, that costs too much, or whose place is not named', () => {
    const { journal, found, byte } = damaged();
    expect(() => assertContained(journal, found, byte)).not.toThrow();
    expect(() => assertContained(journal, { ...found, damage: [] }, byte)).toThrow(/nobody saw/);
    expect(() => assertContained(journal, { ...found, lost: [1, 2] }, byte)).toThrow(/it cost/);
    expect(() => assertContained(journal, found, 3)).toThrow(/not named/);
  });
});

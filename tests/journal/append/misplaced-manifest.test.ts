import { describe, expect, it } from 'vitest';
import { isMisplaced } from '../../../src/journal/append/misplaced-manifest.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import {
  journalInMemory,
  layout,
  makers,
  plan,
  quarantined,
  repair,
  seqsOf,
  verify,
} from '../repair/repairs.ts';

const digits = (one: string, count = 32): string => one.repeat(count);

/** A sound manifest of a journal of which nothing is here; what it says else is as in this one's. */
function othersManifest(bytes: Buffer, change: object = {}): Buffer {
  const own = JSON.parse(bytes.toString().split('\n')[0]!);
  const line = JSON.stringify({ ...own, journalId: digits('1'), origin: digits('2'), ...change });
  const sum = makers.xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');
  return Buffer.from(`${line}\n${sum}\n`);
}

function withOthersManifest(change: object = {}) {
  const journal = journalInMemory();
  const own = readManifest(journal.ports, layout)!;
  journal.damage(layout.manifest, (bytes) => othersManifest(bytes, change));
  return { ...journal, own };
}

describe("another journal's manifest, copied over this one's", () => {
  it('is told of by verify: no segment is read, and no event is lost', () => {
    const { ports } = withOthersManifest();
    expect(seqsOf(ports)).toEqual([]);
    expect(verify(ports)).toMatchObject({ ok: false, isManifestOfAnother: true, events: 0 });
    expect(verify(journalInMemory().ports)).toMatchObject({ isManifestOfAnother: false });
  });

  it('is put right by a repair: every event is back, and the wrong one is in quarantine', () => {
    const { fs, ports, own } = withOthersManifest();
    const wrong = fs.bytesOf(layout.manifest);
    expect(plan(ports)).toMatchObject([
      { segment: 'manifest', action: 'rebuild', what: expect.stringMatching(/another journal's/) },
    ]);
    const { items, kept, lost, after } = repair(ports);
    expect(items).toMatchObject([{ segment: 'manifest', action: 'rebuild' }]);
    expect(kept).toEqual([expect.stringMatching(/^manifest\.whole\./)]);
    expect(quarantined(fs).map(([, bytes]) => bytes)).toEqual([wrong]);
    expect(lost).toEqual([]);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const { journalId, origin } = own;
    expect(readManifest(ports, layout)).toMatchObject({ journalId, origin, isRebuilt: true });
  });

  it('is put right by the next append, which goes on behind what is there', () => {
    const { ports, append } = withOthersManifest();
    append(1);
    expect(verify(ports)).toMatchObject({ ok: true, lastSeq: 11 });
    expect(seqsOf(ports)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('hides other damage, which the same repair finds and puts right', () => {
    const { ports, segments, damage } = withOthersManifest();
    damage(segments()[0]!, (bytes) => {
      bytes[200]! ^= 4;
      return bytes;
    });
    const { items, after } = repair(ports);
    expect(items.map(({ action }) => action)).toEqual(['rebuild', 'mend']);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports).slice(0, 9)).toHaveLength(9);
  });

  it('is none where its own folder is there, or its journal has another one, or no segment is there', () => {
    const { fs, ports, own } = withOthersManifest();
    const other = readManifest(ports, layout)!;
    expect(isMisplaced(ports, layout, other)).toBe(true);
    expect(isMisplaced(ports, layout, { ...other, formerly: [own.origin] })).toBe(false);
    expect(isMisplaced(ports, layout, { ...other, journalId: own.journalId })).toBe(false);
    fs.mkdir(`${layout.journal}/${other.origin}`);
    expect(isMisplaced(ports, layout, other)).toBe(false);
    const empty = journalInMemory();
    for (const file of empty.segments()) empty.fs.unlink(file);
    expect(isMisplaced(empty.ports, layout, other)).toBe(false);
  });
});

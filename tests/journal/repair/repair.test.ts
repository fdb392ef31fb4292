import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blobPath, getBlob, putBlob } from '../../../src/journal/append/blobs.ts';
import { LockFile } from '../../../src/journal/append/locking.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { SEGMENT, SEGMENT_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { MEND_BODY_BYTES_MAX } from '../../../src/journal/repair/frame.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { Chance } from '../../damage/chance.ts';
import { portsOn, put, smallJournals } from '../../damage/corpus.ts';
import { flipped } from '../../damage/damages.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { realPorts } from '../../support.ts';
import { fourSegments } from '../journals.ts';
import { edit, segmentFiles } from '../support.ts';
import {
  decoders,
  entriesOf,
  journalInMemory,
  layout,
  makers,
  newEvent,
  offsetsOf,
  plan,
  quarantined,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

describe('a repair', () => {
  it('finds nothing to do in a sound journal, and touches nothing', () => {
    const { fs, ports } = journalInMemory();
    const before = fs.image();
    expect(plan(ports)).toEqual([]);
    expect(repair(ports)).toMatchObject({ items: [], kept: [], lost: [], after: { ok: true } });
    expect(
      [...fs.image().files].filter(([file, bytes]) => before.files.get(file) !== bytes),
    ).toEqual([expect.arrayContaining([layout.compactLock])]);
  });

  it('names what is lost with a file as verify does, also of a copy whose name lies among events that are there', () => {
    const { fs, ports, segments } = journalInMemory();
    const names = segments();
    const first = fs.bytesOf(names[0]!);
    for (const [from, behind, bytes] of [
      [names[0]!, 1, first],
      [names[0]!, -1, first],
      // A copy that far behind the end holds nothing that is lost.
      [names.at(-1)!, 3, Buffer.alloc(500, 1)],
    ] as const) {
      const { lastSeq, damage } = verify(ports);
      expect(damage).toEqual([]);
      const named = String(lastSeq! + behind).padStart(16, '0');
      const copy = from.replace(/\d{16}(?=\.b10)/, named);
      put(fs, copy, bytes);
      const told = verify(ports).damage.map(({ segment, firstSeq, lastSeq: last }) => [
        segment,
        firstSeq,
        last,
      ]);
      const planned = plan(ports).map((one) => [one.segment, one.firstSeq, one.lastSeq]);
      expect(told.length).toBeGreaterThan(0);
      expect(planned.sort()).toEqual(told.sort());
      expect(Math.min(...told.map(([, first]) => Number(first)))).toBe(lastSeq! + 1);
      fs.unlink(copy);
    }
  });

  it('only plans until it is told to: nothing is written, no lock is taken', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    damage(segments()[0]!, (bytes) => flipped(bytes, 2500));
    const before = fs.image();
    expect(plan(ports)).toHaveLength(1);
    expect([...fs.image().files]).toEqual([...before.files]);
  });

  it('puts a flipped bit right, wherever it is in a frame, and keeps what was there', {
    tags: 'long',
  }, () => {
    const { fs, ports, segments, damage } = journalInMemory(20);
    const [first] = segments();
    const sound = fs.bytesOf(first!);
    const end = offsetsOf(ports)[1]!;
    for (let byte = SEGMENT_HEADER_BYTES; byte < end; byte += 3) {
      damage(first!, () => flipped(sound, byte * 8 + (byte % 8)));
      const wrong = fs.bytesOf(first!);
      const { items, kept, lost, after } = repair(ports);
      expect(items).toMatchObject([{ action: 'mend', firstSeq: null, lastSeq: null }]);
      expect(fs.bytesOf(first!).equals(sound)).toBe(true);
      expect(lost).toEqual([]);
      expect(after.ok).toBe(true);
      const [name] = kept;
      expect(name).toMatch(/^0000000000000001\.b10\.128\.[0-9a-f]{12}$/);
      expect(fs.bytesOf(`${layout.quarantine}/${name}`)).toEqual(wrong.subarray(128, end));
    }
  });

  it('takes out an event that cannot be mended, and records that it is lost', () => {
    const { fs, ports, segments, damage, append } = journalInMemory();
    const [first] = segments();
    const at = offsetsOf(ports)[1]!;
    damage(first!, (bytes) => void bytes.fill(0, at + 150, at + 170));
    expect(plan(ports)).toMatchObject([
      { kind: 'body', offset: at, firstSeq: 2, lastSeq: 2, action: 'cut' },
    ]);
    const { lost, kept, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 2, lastSeq: 2 }]);
    expect(kept).toHaveLength(1);
    expect(quarantined(fs)).toHaveLength(1);
    expect(after).toMatchObject({
      ok: true,
      damage: [],
      losses: [{ firstSeq: 2, lastSeq: 2, recordedAt: 10 }],
    });
    expect(seqsOf(ports)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(append(2)).toEqual([11, 12]);
    expect(verify(ports).ok).toBe(true);
    expect(repair(ports).items).toEqual([]);
  });

  it('takes out a stretch of lost frames, whose chain is lost as well', () => {
    const { ports, segments, damage } = journalInMemory();
    const [first] = segments();
    const at = offsetsOf(ports)[1]!;
    damage(first!, (bytes) => void bytes.fill(0xaa, at, at + 90));
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 2, lastSeq: 2 }]);
    expect(after).toMatchObject({ ok: true, firstSeq: 1, lastSeq: 10 });
    expect(seqsOf(ports)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('takes a segment apart in as many parts as its damage leaves', () => {
    const { ports, segments, damage, append, rotate, fs } = journalInMemory();
    append(12);
    rotate();
    append(1);
    const large = segments()[2]!;
    const offsets = offsetsOf(ports).slice(6);
    const wrong = [1, 4, 5, 9].map((n) => offsets[n]! + 140);
    damage(large, (bytes) => {
      for (const at of wrong) bytes.fill(1, at, at + 30);
      return bytes;
    });
    expect(repair(ports).after).toMatchObject({ ok: true });
    expect(seqsOf(ports)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23].filter(
        (seq) => ![8, 11, 12, 16].includes(seq),
      ),
    );
    expect(segments()).toHaveLength(7);
    expect(quarantined(fs)).toHaveLength(4);
  });

  it('repairs the segment that is appended to, and appends go on', () => {
    const { ports, segments, damage, append } = journalInMemory();
    const newest = segments()[2]!;
    const at = offsetsOf(ports)[7]!;
    damage(newest, (bytes) => void bytes.fill(3, at + 140, at + 160));
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    writer.append([newEvent({ before: true }, new Chance(1))]);
    expect(repair(ports).after).toMatchObject({ ok: true });
    const { seqs } = writer.append([newEvent({ after: true }, new Chance(2))]);
    writer.close();
    expect(seqs[0]).toBeGreaterThan(10);
    expect(verify(ports).ok).toBe(true);
    expect(seqsOf(ports)).not.toContain(8);
    expect(append(1)).toEqual([seqs[0]! + 1]);
  });

  it('makes a header anew from the segments around it', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const second = segments()[1]!;
    const sound = fs.bytesOf(second);
    damage(second, (bytes) => void bytes.fill(0, 0, SEGMENT.salt));
    expect(verify(ports).damage).toMatchObject([{ kind: 'segment-header', firstSeq: 4 }]);
    const { items, lost, after } = repair(ports);
    expect(items[0]).toMatchObject({ kind: 'segment-header', action: 'rebuild' });
    expect(lost).toEqual([]);
    expect(after).toMatchObject({ ok: true, events: 10 });
    expect(fs.bytesOf(second).subarray(128)).toEqual(sound.subarray(128));
  });

  it('puts a header with one flipped bit right', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const sound = fs.bytesOf(segments()[1]!);
    damage(segments()[1]!, (bytes) => flipped(bytes, 500));
    expect(plan(ports)).toMatchObject([{ kind: 'segment-header', action: 'mend' }]);
    repair(ports);
    expect(fs.bytesOf(segments()[1]!).equals(sound)).toBe(true);
  });

  it('sets a segment aside whose salt is lost and whose events do not follow on the ones before', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const [, second, third] = segments();
    damage(second!, (bytes) => {
      const other = fs.bytesOf(third!);
      return Buffer.concat([bytes.subarray(0, 128).fill(0), other.subarray(128)]);
    });
    const wrong = fs.bytesOf(second!);
    const { items, kept, after } = repair(ports);
    expect(items).toMatchObject([{ action: 'set-aside', firstSeq: 4, lastSeq: 6 }]);
    expect(fs.bytesOf(`${layout.quarantine}/${kept[0]}`)).toBe(wrong);
    expect(after).toMatchObject({ ok: true, losses: [{ firstSeq: 4, lastSeq: 6 }] });
    expect(seqsOf(ports)).toEqual([1, 2, 3, 7, 8, 9, 10]);
  });

  it('takes in no segment of another journal', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const foreign = smallJournals(makers)[0]!;
    const file = segments()[0]!;
    damage(file, () => foreign.fs.bytesOf(foreign.target));
    const { items, after } = repair(ports);
    expect(items).toMatchObject([{ action: 'set-aside', firstSeq: 1, lastSeq: 3 }]);
    expect(after.ok).toBe(true);
    expect(seqsOf(ports)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(quarantined(fs)).toHaveLength(1);
  });

  it('records that a segment is missing', () => {
    const { fs, ports, segments } = journalInMemory();
    fs.unlink(segments()[1]!);
    expect(plan(ports)).toMatchObject([
      { kind: 'missing', firstSeq: 4, lastSeq: 6, action: 'record' },
    ]);
    expect(repair(ports).after).toMatchObject({ ok: true, losses: [{ firstSeq: 4, lastSeq: 6 }] });
  });

  it('records that synced events at the end are gone', () => {
    const { ports, segments, damage } = journalInMemory();
    const newest = segments()[2]!;
    const at = offsetsOf(ports)[8]!;
    damage(newest, (bytes) => bytes.subarray(0, at));
    expect(plan(ports)).toMatchObject([{ kind: 'missing', firstSeq: 9, lastSeq: 9 }]);
    const { after } = repair(ports);
    expect(after).toMatchObject({ ok: true, losses: [{ firstSeq: 9, lastSeq: 9 }] });
    expect(seqsOf(ports).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('names what recovery kept of a torn tail that no sync had covered', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const at = offsetsOf(ports)[8]!;
    for (const file of fs.image().files.keys()) if (file.endsWith('/synced')) fs.unlink(file);
    damage(segments()[2]!, (bytes) => bytes.subarray(0, at + 60));
    expect(plan(ports)).toMatchObject([{ kind: 'tail', firstSeq: 9, lastSeq: null }]);
    const { kept, after } = repair(ports);
    expect(after.ok).toBe(true);
    expect(kept).toEqual([expect.stringMatching(/^0000000000000007\.b10\.\d+\.[0-9a-f]{12}$/)]);
    expect(quarantined(fs).map(([file]) => file)).toEqual([`${layout.quarantine}/${kept[0]}`]);
    const told = JSON.stringify(entriesOf(ports).map(({ payload }) => payload.toString('latin1')));
    expect(told).toContain(kept[0]);
  });

  it('records what is lost of a cut tail that was on the disk', () => {
    const { ports, segments, damage } = journalInMemory();
    const at = offsetsOf(ports)[8]!;
    damage(segments()[2]!, (bytes) => bytes.subarray(0, at + 60));
    const { kept, lost, after } = repair(ports);
    expect(kept).toHaveLength(1);
    expect(lost).toMatchObject([{ firstSeq: 9, lastSeq: 9 }]);
    expect(after).toMatchObject({ ok: true, losses: [{ firstSeq: 9, lastSeq: 9 }] });
  });

  it('does not look for a flipped bit in a large event', () => {
    const { ports, segments, damage, append, rotate } = journalInMemory();
    append(1, MEND_BODY_BYTES_MAX);
    rotate();
    append(1);
    damage(segments()[2]!, (bytes) => flipped(bytes, (bytes.length - 900) * 8));
    expect(plan(ports)).toMatchObject([{ action: 'cut', firstSeq: 10, lastSeq: 10 }]);
  });

  it('leaves an edited history alone, and says why', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const other = journalInMemory(70);
    const file = segments()[1]!;
    const header = Buffer.from(fs.bytesOf(file).subarray(0, SEGMENT_HEADER_BYTES));
    header.fill(9, SEGMENT.prevChain, SEGMENT.salt);
    header.writeBigUInt64LE(makers.xxh64(header.subarray(0, 120), 0n), SEGMENT.checksum);
    damage(file, (bytes) => void header.copy(bytes));
    expect(verify(ports).damage.map(({ kind }) => kind)).toContain('chain');
    expect(plan(ports)).toMatchObject([{ action: 'none', kind: 'chain' }]);
    const before = fs.bytesOf(file);
    expect(repair(ports).after.ok).toBe(false);
    expect(fs.bytesOf(file)).toBe(before);
    expect(other.segments()).toHaveLength(3);
  });
});

describe('a repair of a sealed journal', () => {
  const sealed = () => {
    const made = journalInMemory();
    compactJournal(made.ports, ROOT, { zstd: makers.zstd, decoders });
    return made;
  };
  const chunked = () => {
    const { fs, ports, target, stretches } = smallJournals(makers).find(
      ({ name }) => name === 'sealed, before a raw one',
    )!;
    return {
      fs,
      target,
      stretches,
      ports: { ...ports, lock: portsOn(fs, makers.xxh64, new Chance(3)).lock },
    };
  };

  it.each([
    ['the footer', (bytes: Buffer) => bytes.length - 60],
    ['the index', (bytes: Buffer) => bytes.length - 252],
    ['the id table', (bytes: Buffer) => bytes.length - 145],
    ['the magic', (bytes: Buffer) => bytes.length - 1],
  ])('makes %s anew from the chunks', (_, at) => {
    const { fs, ports, segments, damage } = sealed();
    const file = segments()[0]!;
    const sound = fs.bytesOf(file);
    damage(file, (bytes) => flipped(bytes, at(bytes) * 8));
    expect(verify(ports).ok).toBe(false);
    const { items, lost, after } = repair(ports);
    expect(items).toMatchObject([{ kind: 'index', action: 'rebuild', firstSeq: null }]);
    expect(lost).toEqual([]);
    expect(after.ok).toBe(true);
    expect(
      entriesOf(ports)
        .slice(0, 3)
        .map(({ seq }) => seq),
    ).toEqual([1, 2, 3]);
    expect(fs.bytesOf(file).length).toBe(sound.length);
  });

  it('takes a lost chunk out, and keeps the ones around it', () => {
    const { fs, target, stretches, ports } = chunked();
    const second = stretches[1]!;
    const wrong = Buffer.from(fs.bytesOf(target));
    wrong.fill(0, second.start + 110, second.start + 140);
    fs.rot(target, wrong);
    const { items, lost, after } = repair(ports);
    expect(items[0]).toMatchObject({ kind: 'chunk', action: 'cut', offset: second.start });
    expect(lost).toMatchObject([{ firstSeq: second.firstSeq, lastSeq: second.lastSeq }]);
    expect(after.damage).toEqual([]);
    expect(after.ok).toBe(true);
  });

  it('puts the raw segment back where it is still there', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const raw = fs.bytesOf(segments()[0]!);
    const name = segments()[0]!;
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    put(fs, name, raw);
    damage(`${name}z`, (bytes) => void bytes.fill(0, 130, 400));
    const { items, after } = repair(ports);
    expect(items).toMatchObject([{ action: 'restore' }]);
    expect(after).toMatchObject({ ok: true, events: 10, losses: [] });
  });

  it('repairs the raw segment too that stands behind a file which only bears a sealed one’s name', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const name = segments()[0]!;
    put(fs, `${name}z`, fs.bytesOf(name));
    damage(name, (bytes) => void bytes.fill(0, bytes.length - 40));
    const { after, lost } = repair(ports);
    expect(after.ok).toBe(true);
    expect(lost).toMatchObject([{ firstSeq: 3, lastSeq: 3 }]);
  });

  it('says before and after what is lost with a segment of which only the header is left', () => {
    const { ports, segments, damage } = journalInMemory();
    const name = segments()[0]!;
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    damage(`${name}z`, (bytes) => bytes.subarray(0, SEGMENT_HEADER_BYTES));
    const told = [{ kind: 'index', action: 'set-aside', firstSeq: 1, lastSeq: 3 }];
    expect(verify(ports).damage).toMatchObject([{ kind: 'index', firstSeq: 1, lastSeq: 3 }]);
    expect(plan(ports)).toMatchObject(told);
    const { items, lost, after } = repair(ports);
    expect(items).toMatchObject(told);
    expect(lost).toMatchObject([{ firstSeq: 1, lastSeq: 3 }]);
    expect(after.ok).toBe(true);
  });

  it('sets both forms of a segment aside at once where nothing can be read of either', () => {
    const { fs, ports, segments, damage } = journalInMemory();
    const name = segments()[0]!;
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    damage(`${name}z`, (bytes) => void bytes.fill(0, 130));
    put(fs, name, fs.bytesOf(`${name}z`));
    const { after, lost, kept } = repair(ports);
    expect(after.damage).toEqual([]);
    expect(lost).toMatchObject([{ firstSeq: 1, lastSeq: 3 }]);
    expect(quarantined(fs).map(([file]) => file.slice(layout.quarantine.length + 1))).toEqual(
      expect.arrayContaining(kept),
    );
  });
});

describe('a repair beside a copy that lies among a segment’s seqs', () => {
  it.each(['raw, between two', 'sealed, before a raw one'])('keeps all of it: %s', (like) => {
    const { fs, target } = smallJournals(makers).find(({ name }) => name === like)!;
    const ports = portsOn(fs, makers.xxh64, new Chance(5));
    const read = seqsOf(ports);
    fs.rot(target, Buffer.concat([fs.bytesOf(target), Buffer.alloc(100)]));
    const first = Number.parseInt(target.slice(target.lastIndexOf('/') + 1), 10);
    put(
      fs,
      target.replace(/\d{16}(?=\.b10)/, String(first + 1).padStart(16, '0')),
      fs.bytesOf(target),
    );
    const { lost, after } = repair(ports);
    expect([lost, after.damage]).toEqual([[], []]);
    expect(seqsOf(ports).slice(0, read.length)).toEqual(read);
  });
});

it('a part behind lost events takes the name of no file that is not in quarantine before', () => {
  const { fs, target, stretches } = smallJournals(makers).find(
    ({ name }) => name === 'raw, between two',
  )!;
  const ports = portsOn(fs, makers.xxh64, new Chance(6));
  const [lost, behind] = stretches.slice(2);
  const other = Buffer.from(fs.bytesOf(target));
  const wrong = Buffer.from(other);
  fs.rot(target, wrong.fill(0, lost!.start, lost!.end));
  const path = target.replace(/\d{16}(?=\.b10)/, String(behind!.firstSeq).padStart(16, '0'));
  put(fs, path, other);
  const { after, kept } = repair(ports);
  expect(after.damage).toEqual([]);
  expect(seqsOf(ports)).toContain(behind!.firstSeq);
  expect(quarantined(fs).filter(([, bytes]) => bytes.equals(other)).length).toBe(1);
  expect(
    quarantined(fs)
      .map(([file]) => file.slice(layout.quarantine.length + 1))
      .sort(),
  ).toEqual([...kept].sort());
});

describe('a repair of what stands beside the segments', () => {
  it('makes a lost manifest anew', () => {
    const { fs, ports } = journalInMemory();
    const before = readManifest(ports, layout)!;
    fs.unlink(layout.manifest);
    expect(plan(ports)).toMatchObject([{ segment: 'manifest', action: 'rebuild' }]);
    expect(repair(ports).after.ok).toBe(true);
    const { journalId, origin, isRebuilt } = readManifest(ports, layout)!;
    expect({ journalId, origin }).toEqual({ journalId: before.journalId, origin: before.origin });
    expect(isRebuilt).toBe(true);
  });

  it('sets a damaged blob aside, so that it can be brought back', () => {
    const { ports, damage } = journalInMemory();
    const { blobKey } = readManifest(ports, layout)!;
    const name = putBlob(ports, layout, blobKey, Buffer.from('a text'));
    damage(blobPath(layout, name), (bytes) => flipped(bytes, 300));
    expect(plan(ports)).toMatchObject([{ kind: 'blob', action: 'set-aside' }]);
    expect(repair(ports).after.ok).toBe(true);
    putBlob(ports, layout, blobKey, Buffer.from('a text'));
    expect(getBlob(ports, layout, name, decoders, blobKey)?.toString()).toBe('a text');
    expect(verify(ports).ok).toBe(true);
  });

  it('tells of a text again that was recorded as lost, was brought back, and is damaged since', () => {
    const { fs, ports, damage } = journalInMemory();
    const { blobKey } = readManifest(ports, layout)!;
    const name = putBlob(ports, layout, blobKey, Buffer.from('a text'));
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
    writer.append([newEvent({ $blob: name, bytes: 6, head: 'a' }, new Chance(4))]);
    writer.close();
    fs.unlink(blobPath(layout, name));
    expect(repair(ports)).toMatchObject({
      lost: [{ segment: `blobs/${name}` }],
      after: { ok: true },
    });
    putBlob(ports, layout, blobKey, Buffer.from('a text'));
    for (const change of [(bytes: Buffer) => flipped(bytes, 300), () => Buffer.alloc(0)]) {
      damage(blobPath(layout, name), change);
      expect(verify(ports).damage).toMatchObject([{ kind: 'blob', segment: `blobs/${name}` }]);
    }
    expect(plan(ports)).toMatchObject([{ kind: 'blob', action: 'set-aside' }]);
    expect(repair(ports).after.ok).toBe(true);
  });

  it('sets a damaged inbox file aside', () => {
    const { fs, ports } = journalInMemory();
    const name = `${'0'.repeat(16)}-${'1'.repeat(12)}.evt`;
    put(fs, `${layout.inbox}/${name}`, Buffer.from('nothing'));
    expect(plan(ports)).toMatchObject([{ kind: 'inbox', action: 'set-aside', bytes: 7 }]);
    const { kept, after } = repair(ports);
    expect(after.ok).toBe(true);
    expect(quarantined(fs).map(([file]) => file)).toEqual([`${layout.quarantine}/${kept[0]}`]);
  });

  it('is nothing where there is no journal', () => {
    const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
    expect(plan(portsOn(fs, makers.xxh64, new Chance(1)))).toEqual([]);
    expect(fs.image().folders).toEqual(new Set(['/', '/project']));
  });

  it('is refused while somebody compacts, erases or appends for long', () => {
    const root = fourSegments();
    const { compactLock, lock } = layoutOf(root);
    edit(segmentFiles(root)[2]!, (bytes) => flipped(bytes, 300 * 8));
    const before = readFileSync(segmentFiles(root)[2]!);
    const clock = { ...realPorts.clock, now: () => performance.now() * 100 };
    for (const path of [compactLock, lock]) {
      const held = new LockFile(realPorts, path);
      held.hold(0, () => {
        expect(() => repairJournal({ ...realPorts, clock }, root, decoders)).toThrow(
          expect.objectContaining({
            code: 'CONTEXT_LOCKED',
            next: expect.stringContaining('Wait'),
          }),
        );
      });
      held.close();
    }
    expect(readFileSync(segmentFiles(root)[2]!).equals(before)).toBe(true);
    expect(repairJournal(realPorts, root, decoders).after.ok).toBe(true);
  });

  it('is refused where nobody can lock', () => {
    const { ports } = journalInMemory();
    expect(() => repair({ ...ports, lock: undefined })).toThrow(/no file locks/);
  });
});

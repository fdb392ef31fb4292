import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockFile } from '../../../src/journal/append/locking.ts';
import type { Frame } from '../../../src/journal/format/frame.ts';
import { layoutOf, listSegments } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { chainAt } from '../../../src/journal/read/chain-at.ts';
import { compactJournal, ROTATE_BYTES_MIN } from '../../../src/journal/seal/compact.ts';
import { compactSegment } from '../../../src/journal/seal/compact-segment.ts';
import { LEVEL_COMPACT, LEVEL_SEAL } from '../../../src/journal/seal/seal.ts';
import { LEFTOVER_AGE_MS } from '../../../src/journal/seal/sweep.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { codeOf, decoders, realPorts } from '../../support.ts';
import { codecs, compact } from '../journals.ts';
import {
  appendAll,
  edit,
  eventsOf,
  flipBit,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  rotatedJournal,
  segmentFiles,
  systemError,
  verify,
  withFailing,
} from '../support.ts';

const zstd = await loadZstd();

const journal = (segments = 4, perSegment = 5) =>
  rotatedJournal(segments, () => eventsOf(perSegment, 500));

/** Everything that is read, as one digest. */
function history(root: string): string {
  const sum = createHash('sha256');
  for (const entry of readAll(root).entries) {
    const { seq, hlc, flags, kind, typeTag, syncedUpto } = entry;
    sum.update(JSON.stringify([seq, hlc, flags, kind, typeTag, syncedUpto]));
    for (const part of [entry.id, entry.salt, entry.payload, entry.commit]) sum.update(part);
  }
  return sum.digest('hex');
}

/** Names and bytes of everything under a folder. */
function contents(dir: string): string {
  const sum = createHash('sha256');
  for (const name of readdirSync(dir, { recursive: true }).map(String).sort()) {
    const file = path.join(dir, name);
    sum.update(name).update(statSync(file).isFile() ? readFileSync(file) : 'folder');
  }
  return sum.digest('hex');
}

const names = (root: string) =>
  segmentFiles(root).map((file) => path.basename(file).replace(/^0+/, ''));
const actions = (root: string, options = {}) =>
  compact(root, options).segments.map((one) => one.action);

describe('a compaction', () => {
  it('seals every closed segment, keeps the active one, and changes nothing that is read', () => {
    const root = journal();
    const before = history(root);
    const done = compact(root);
    expect(done.segments.map((one) => one.action)).toEqual(['sealed', 'sealed', 'sealed', 'kept']);
    expect(names(root)).toEqual(['1.b10z', '6.b10z', '11.b10z', '16.b10']);
    expect(history(root)).toBe(before);
    expect(done.bytesAfter).toBeLessThan(done.bytesBefore / 2);
    expect(done.bytesAfter).toBe(
      segmentFiles(root).reduce((sum, file) => sum + statSync(file).size, 0),
    );
    expect(verify(root)).toMatchObject({ ok: true, events: 20 });
  });

  it('a second time keeps everything', () => {
    const root = journal();
    compact(root);
    const before = contents(root);
    const done = compact(root);
    expect(done.segments.map((one) => one.action)).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(done.segments[0]!.why).toBe('it is compressed at level 19 already');
    expect(done.bytesAfter).toBe(done.bytesBefore);
    expect(contents(root)).toBe(before);
  });

  it('compresses again what was sealed lightly, and not the other way round', () => {
    const root = journal();
    const before = history(root);
    expect(actions(root, { level: LEVEL_SEAL })).toEqual(['sealed', 'sealed', 'sealed', 'kept']);
    expect(actions(root)).toEqual(['recompressed', 'recompressed', 'recompressed', 'kept']);
    expect(actions(root, { level: LEVEL_SEAL })).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(history(root)).toBe(before);
  });

  it('closes the active segment first when it is large enough', () => {
    const root = journalOf(5, ROTATE_BYTES_MIN / 4);
    expect(actions(root)).toEqual(['sealed', 'kept']);
    expect(names(root)).toEqual(['1.b10z', '6.b10']);
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5, 6]);
    const small = journal(1);
    expect(actions(small)).toEqual(['kept']);
  });

  it('as a dry run says what it would do, and writes nothing', () => {
    const root = journal();
    const before = contents(root);
    const heard: number[] = [];
    const done = compact(root, {
      dryRun: true,
      progress: (one) => void heard.push(one),
    });
    expect(done.segments.map((one) => one.action)).toEqual(['sealed', 'sealed', 'sealed', 'kept']);
    expect(done).toMatchObject({ bytesAfter: null, leftovers: 0 });
    expect(contents(root)).toBe(before);
    expect(heard).toEqual([1, 2, 3, 4]);
  });

  it('counts in the manifest how often it replaced files', () => {
    const root = journal();
    const generation = () => readManifest(realPorts, layoutOf(root))!.generation;
    compact(root);
    expect(generation()).toBe(1);
    compact(root);
    expect(generation()).toBe(1);
  });

  it('on a dry run says what it would do to the segment that is being appended to', () => {
    for (const bytes of [ROTATE_BYTES_MIN / 4, 10]) {
      const root = journalOf(5, bytes);
      const before = contents(root);
      const planned = compact(root, { dryRun: true });
      expect(contents(root)).toBe(before);
      const done = compact(root);
      const told = ({ segment, action, why }: (typeof done.segments)[number]) =>
        `${segment} ${action} ${why}`;
      expect(planned.segments.map(told)).toEqual(done.segments.slice(0, 1).map(told));
    }
  });

  it('of a journal without an event does nothing', () => {
    const root = newRoot();
    mkdirSync(root);
    for (const dryRun of [true, false])
      expect(compact(root, { dryRun })).toEqual({
        bytesBefore: 0,
        bytesAfter: 0,
        segments: [],
        leftovers: 0,
      });
    expect(readdirSync(root)).toEqual([]);
  });

  it('of no journal is an error, and makes none', () => {
    const root = newRoot();
    for (const dryRun of [true, false])
      expect(codeOf(() => compact(root, { dryRun }))).toBe('CONTEXT_NOT_FOUND');
    expect(existsSync(root)).toBe(false);
  });

  it('does not run beside another one, nor where nothing can be locked', () => {
    const root = journal();
    const other = new LockFile(realPorts, layoutOf(root).compactLock);
    onTestFinished(() => other.close());
    other.hold(0, () =>
      expect(() => compact(root)).toThrow(
        expect.objectContaining({
          code: 'CONTEXT_LOCKED',
          message: expect.stringContaining('another'),
        }),
      ),
    );
    const noLock = portsWith({}, { lock: undefined });
    expect(() => compact(root, {}, noLock)).toThrow(
      expect.objectContaining({
        code: 'CONTEXT_LOCKED',
        message: expect.stringContaining('no file locks'),
      }),
    );
    expect(names(root)).toEqual(['1.b10', '6.b10', '11.b10', '16.b10']);
  });
});

describe('a damaged segment', () => {
  it.each<[string, (bytes: Buffer) => Buffer | undefined]>([
    ['a flipped bit in an event', (b) => void flipBit(b, 300 * 8)],
    ['a cut end', (b) => b.subarray(0, b.length - 1)],
    ['garbage at its end', (b) => Buffer.concat([b, Buffer.alloc(9)])],
    ['a flipped bit in its header', (b) => void flipBit(b, 300)],
    ['a lost header', (b) => void b.fill(0, 0, 64)],
  ])('is kept as it is: %s', (_, damage) => {
    const root = journal();
    edit(segmentFiles(root)[1]!, damage);
    const before = readFileSync(segmentFiles(root)[1]!);
    const done = compact(root);
    expect(done.segments.map((one) => one.action)).toEqual(['sealed', 'kept', 'sealed', 'kept']);
    expect(done.segments[1]!.why).toContain('ben10 verify');
    expect(readFileSync(segmentFiles(root)[1]!)).toEqual(before);
  });

  it('that is sealed is kept as well', () => {
    for (const at of [128 + 104 + 15, -10]) {
      const root = journal();
      compact(root, { level: LEVEL_SEAL });
      edit(
        segmentFiles(root)[1]!,
        (bytes) => void flipBit(bytes, (at < 0 ? bytes.length + at : at) * 8),
      );
      expect(actions(root)).toEqual(['recompressed', 'kept', 'recompressed', 'kept']);
    }
  });

  it('that is sealed, of which all can be read but the index fits nothing, is left to a repair, which keeps what it takes out', () => {
    const root = journal();
    compact(root, { level: LEVEL_SEAL });
    edit(segmentFiles(root)[1]!, (bytes) =>
      Buffer.concat([bytes.subarray(0, -128), Buffer.alloc(40, 7), bytes.subarray(-128)]),
    );
    expect(verify(root).damage.map((one) => one.kind)).toEqual(['index']);
    expect(actions(root)).toEqual(['recompressed', 'kept', 'recompressed', 'kept']);
  });

  it('whose events were edited, with all sums right, is kept: sealing would make it look sound', () => {
    const root = journal();
    const [, second] = segmentFiles(root);
    const frame = readAll(root).entries[6] as Frame;
    edit(second!, (bytes) => {
      bytes[frame.offset + 128 + 40]! ^= 1; // a payload…
      const { xxh64 } = realPorts;
      const salt = bytes.readBigUInt64LE(96);
      const bodyBytes = bytes.readUInt32LE(frame.offset + 8);
      const body = bytes.subarray(frame.offset + 128, frame.offset + 128 + bodyBytes);
      bytes.writeBigUInt64LE(xxh64(body, salt ^ 7n), frame.offset + frame.bytes - 16); // …and its sum
      return undefined;
    });
    expect(verify(root).damage.map((one) => one.kind)).toEqual(['commit']);
    expect(actions(root)[1]).toBe('kept');
  });

  it('whose chain is broken, with all sums right, is kept as well', () => {
    const root = journal();
    const frame = readAll(root).entries[6] as Frame;
    edit(segmentFiles(root)[1]!, (bytes) => {
      bytes.writeUInt8(bytes[frame.offset + 26]! ^ 1, frame.offset + 26); // a time…
      const { xxh64 } = realPorts;
      const seed = bytes.readBigUInt64LE(96) ^ BigInt(frame.offset);
      const sum = xxh64(bytes.subarray(frame.offset, frame.offset + 120), seed);
      bytes.writeBigUInt64LE(sum, frame.offset + 120); // …and the header's sum
      return undefined;
    });
    expect(verify(root).damage.map((one) => one.kind)).toEqual(['chain']);
    expect(actions(root)[1]).toBe('kept');
  });

  it('that is empty, or gone since it was listed, is kept', () => {
    const root = journal();
    edit(segmentFiles(root)[1]!, (bytes) => bytes.subarray(0, 128));
    expect(actions(root)[1]).toBe('kept');
    const file = listSegments(realPorts.fs, layoutOf(root))[2]!;
    rmSync(file.path);
    expect(
      compactSegment(realPorts, file, false, codecs, { level: 3, dryRun: false }),
    ).toMatchObject({ action: 'kept', why: 'it is gone', bytesBefore: 0 });
  });
});

describe('a compaction that goes wrong', () => {
  it('does not replace a file by one that does not read back the same', () => {
    const root = journal();
    const before = contents(originFolder(root));
    const liar = {
      compress: (bytes: Uint8Array, level: number) =>
        zstd.compress(Buffer.from(bytes).fill(0x20, bytes.length - 40), level),
    };
    const done = compactJournal(realPorts, root, { zstd: liar, decoders });
    expect(done.segments.map((one) => one.action)).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(done.segments[0]!.why).toContain('please report this');
    expect(contents(originFolder(root))).toBe(before);
  });

  it('because the disk is full leaves the old files, and no other', () => {
    const root = journal();
    const before = history(root);
    let room = 2;
    const ports = portsWith({
      open: (file, flags, mode) => {
        if (file.includes('.b10z') && flags === 'wx') {
          room -= 1;
          if (room < 0) throw systemError('ENOSPC');
        }
        return realPorts.fs.open(file, flags, mode);
      },
    });
    expect(codeOf(() => compact(root, {}, ports))).toBe('FS_WRITE_ERROR');
    expect(names(root)).toEqual(['1.b10z', '6.b10z', '11.b10', '16.b10']);
    expect(history(root)).toBe(before);
    expect(actions(root)).toEqual(['kept', 'kept', 'sealed', 'kept']);
  });

  it('because of a crash before the raw file was removed leaves both: the sealed one is read, the other removed next time', () => {
    const root = journal();
    const before = history(root);
    const dying = withFailing('unlink', 'EIO', (file) => file.endsWith('.b10'));
    expect(() => compact(root, {}, dying)).toThrow();
    expect(names(root)).toEqual(['1.b10', '1.b10z', '6.b10', '11.b10', '16.b10']);
    expect([history(root), verify(root).ok]).toEqual([before, true]);
    expect(compact(root).leftovers).toBe(1);
    expect(names(root)).toEqual(['1.b10z', '6.b10z', '11.b10z', '16.b10']);
    expect(history(root)).toBe(before);
  });

  it('does not remove a raw file whose sealed form went bad', () => {
    const root = journal();
    const raw = readFileSync(segmentFiles(root)[0]!);
    compact(root);
    const twin = segmentFiles(root)[0]!.replace('.b10z', '.b10');
    writeFileSync(twin, raw);
    edit(`${twin}z`, (bytes) => void flipBit(bytes, 250 * 8));
    expect(compact(root).leftovers).toBe(0);
    expect(readFileSync(twin)).toEqual(raw);
  });

  it('does not remove a raw file that is another segment: it may be all that there is of that one', () => {
    const root = journal();
    const [, other] = segmentFiles(root).map((file) => readFileSync(file));
    compact(root);
    const twin = segmentFiles(root)[0]!.replace('.b10z', '.b10');
    writeFileSync(twin, other!);
    expect(compact(root).leftovers).toBe(0);
    expect(readFileSync(twin)).toEqual(other);
  });
});

describe('leftovers of crashed writers', () => {
  it('are removed when they are old, and left alone when they may be in use', () => {
    const root = journal();
    const { journal: dir, inbox } = layoutOf(root);
    const make = (file: string, ageMs: number) => {
      writeFileSync(file, 'half');
      const time = (Date.now() - ageMs) / 1000;
      utimesSync(file, time, time);
      return file;
    };
    const minute = 60_000;
    const old = [dir, inbox, originFolder(root)].map((folder) =>
      make(path.join(folder, 'x.tmp'), LEFTOVER_AGE_MS + minute),
    );
    const young = [dir, inbox, originFolder(root)].map((folder) =>
      make(path.join(folder, 'y.tmp'), LEFTOVER_AGE_MS - minute),
    );
    const other = make(path.join(dir, 'x.txt'), LEFTOVER_AGE_MS + minute);
    expect(compact(root).leftovers).toBe(3);
    expect(old.filter((file) => existsSync(file))).toEqual([]);
    expect([...young, other].every((file) => existsSync(file))).toBe(true);
  });

  it('that got their names meanwhile are no error', () => {
    const root = journal();
    const ports = portsWith({ readdir: (dir) => [...realPorts.fs.readdir(dir), 'gone.tmp'] });
    expect(compact(root, {}, ports).leftovers).toBe(0);
  });

  it('that somebody else removes at the same moment are not counted', () => {
    const root = journal();
    const raw = readFileSync(segmentFiles(root)[0]!);
    compact(root);
    const twin = segmentFiles(root)[0]!.slice(0, -1);
    writeFileSync(twin, raw);
    const ports = portsWith({
      syncDir: (dir) => {
        if (dir === originFolder(root)) rmSync(twin, { force: true });
        realPorts.fs.syncDir(dir);
      },
    });
    expect(compact(root, {}, ports).leftovers).toBe(0);
    expect(existsSync(twin)).toBe(false);
  });
});

describe('the chain at a seq', () => {
  it('is the same before and after sealing, and unknown where there is no such event', () => {
    const root = journal();
    const layout = layoutOf(root);
    const at = (seq: number) => chainAt(realPorts, layout, seq, decoders)?.toString('hex');
    const before = Array.from({ length: 22 }, (_, seq) => at(seq));
    expect(before.slice(1, 21)).toEqual(
      (readAll(root).entries as Frame[]).map((frame) => frame.chain.toString('hex')),
    );
    expect([before[0], before[21]]).toEqual([undefined, undefined]);
    compactJournal(
      realPorts,
      root,
      { zstd: { compress: (b, l) => zstd.compress(b, l) }, decoders },
      { level: LEVEL_COMPACT },
    );
    expect(Array.from({ length: 22 }, (_, seq) => at(seq))).toEqual(before);
  });

  it('is unknown where the event is damaged, and in a journal that is not there', () => {
    const root = journal();
    const layout = layoutOf(root);
    const frame = readAll(root).entries[7] as Frame;
    edit(segmentFiles(root)[1]!, (bytes) => void flipBit(bytes, (frame.offset + 140) * 8));
    expect(chainAt(realPorts, layout, 8, decoders)).toBeUndefined();
    expect(chainAt(realPorts, layout, 9, decoders)).toBeDefined();
    edit(segmentFiles(root)[0]!, (bytes) => void bytes.fill(0, 0, 100));
    expect(chainAt(realPorts, layout, 2, decoders)).toBeUndefined();
    expect(chainAt(realPorts, layoutOf(newRoot()), 1, decoders)).toBeUndefined();
    compact(root);
    edit(segmentFiles(root)[2]!, (bytes) => void flipBit(bytes, (128 + 104 + 30) * 8));
    expect(chainAt(realPorts, layout, 12, decoders)).toBeUndefined();
    edit(segmentFiles(root)[2]!, (bytes) => bytes.subarray(0, 128));
    expect(chainAt(realPorts, layout, 12, decoders)).toBeUndefined();
  });

  it('is unknown behind the last event of a damaged segment', () => {
    const root = journal(1, 5);
    const layout = layoutOf(root);
    const frame = readAll(root).entries[4] as Frame;
    edit(segmentFiles(root)[0]!, (bytes) => bytes.subarray(0, frame.offset + 50));
    expect(chainAt(realPorts, layout, 4, decoders)).toBeDefined();
    expect(chainAt(realPorts, layout, 5, decoders)).toBeUndefined();
  });
});

describe('what a compaction would do', () => {
  it('is said beside another one that closes and seals the newest segment meanwhile', () => {
    const root = journalOf(200, 500);
    const [newest] = segmentFiles(root);
    expect(statSync(newest!).size).toBeGreaterThan(ROTATE_BYTES_MIN);
    const ports = portsWith({
      statIfThere: (file) => {
        if (file === newest && existsSync(newest)) compact(root);
        return realPorts.fs.statIfThere(file);
      },
    });
    const { segments } = compact(root, { dryRun: true }, ports);
    expect(segments).toMatchObject([{ action: 'kept', why: 'it is gone', bytesBefore: 0 }]);
    expect(names(root)).toEqual(['1.b10z', '201.b10']);
  });
});

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../../src/journal/append/inbox.ts';
import { encodeFrame } from '../../../src/journal/format/frame.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { INBOX_READ_BYTES_MAX, JournalReader } from '../../../src/journal/read/reader.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import { craftJournal, inChunks } from '../../damage/corpus.ts';
import { entriesOf } from '../../damage/entries.ts';
import { decoders, newEvent, realPorts } from '../../support.ts';
import { compact, manySegments, range } from '../journals.ts';
import {
  afterListing,
  appendAll,
  damageOf,
  edit,
  entryOf,
  eventsOf,
  flipBit,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  readAll,
  readerOn,
  segmentFiles,
  verify,
  withFailing,
  withNoted,
  writerOn,
} from '../support.ts';

describe('reading', () => {
  it('gives every event of every segment in order, sealed or not', () => {
    const root = manySegments();
    expect(segmentFiles(root).length).toBeGreaterThan(5);
    const before = readAll(root);
    compact(root);
    const after = readAll(root);
    expect(after).toMatchObject({ seqs: range(1, 40), damage: [] });
    expect(after.entries.map((entry) => entry.payload)).toEqual(
      before.entries.map((entry) => entry.payload),
    );
    expect(after.entries.map((entry) => entry.commit)).toEqual(
      before.entries.map((entry) => entry.commit),
    );
  });

  it('gives any range of seqs, and opens only the segments that can hold one', () => {
    const root = manySegments();
    const opened = new Set<string>();
    const ports = withNoted('open', (file) => {
      if (file.includes('.b10')) opened.add(path.basename(file));
    });
    for (const [from, to] of [
      [1, 40],
      [7, 7],
      [7, 22],
      [40, 99],
      [41, 99],
      [30, 20],
      [0, 3],
    ] as const) {
      opened.clear();
      expect(readAll(root, from, to, ports).seqs).toEqual(
        range(Math.max(1, from), Math.min(40, to)),
      );
      if (from === 7 && to === 7) expect(opened.size).toBe(1);
    }
    compact(root);
    expect(readAll(root, 7, 22).seqs).toEqual(range(7, 22));
  });

  it('unpacks only the chunks that can hold a seq of the range', () => {
    const root = newRoot();
    const events = Array.from({ length: 8 }, (_, i) => newEvent({ data: `${i} `.repeat(100_000) }));
    appendAll(root, events);
    writerOn(root).rotate(0);
    compact(root, { level: 1 });
    let unpacked = 0;
    const counting = {
      ...decoders,
      zstd: (bytes: Uint8Array, plainBytes: number) => {
        unpacked += 1;
        return decoders.zstd(bytes, plainBytes);
      },
    };
    const reader = new JournalReader(realPorts, root, counting);
    expect([...reader.entries(7)].map((item) => item.entry?.seq)).toEqual([7, 8]);
    expect(unpacked).toBe(2);
  });

  it('passes by an append in flight at the end of the newest segment, in silence', () => {
    const root = manySegments(8);
    const newest = segmentFiles(root).at(-1)!;
    edit(newest, (bytes) => Buffer.concat([bytes, bytes.subarray(128, 250)]));
    expect(readAll(root)).toMatchObject({ seqs: range(1, 8), damage: [] });
    truncateSync(segmentFiles(root)[0]!, 1000);
    const { damage } = readAll(root);
    expect(damage).toMatchObject([{ kind: 'tail', firstSeq: 3 }]); // elsewhere it is damage
  });

  it('skips kinds of a later version', () => {
    const root = journalOf(2);
    const [file] = segmentFiles(root);
    edit(file!, (bytes) => {
      const { salt } = decodeSegmentHeader(bytes, realPorts.xxh64)!;
      const last = readAll(root).entries[1] as unknown as { chain: Buffer };
      const place = { salt, offset: bytes.length, previousChain: last.chain };
      return Buffer.concat([
        bytes,
        encodeFrame(entryOf(3, Buffer.from('later'), { kind: 150 }), place, realPorts.xxh64).frame,
      ]);
    });
    appendAll(root, eventsOf(1));
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 4], damage: [] });
    expect(verify(root)).toMatchObject({ ok: true, events: 3, lastSeq: 4 });
    expect(readAll(root, 3, 3).seqs).toEqual([]);
    writerOn(root).rotate(0);
    expect(compact(root).segments[0]!.action).toBe('sealed');
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 4], damage: [] });
    expect(verify(root)).toMatchObject({ ok: true, events: 3 });
  });
});

describe('reading damage', () => {
  it('gives it in the place of the events that it cost', () => {
    const root = manySegments();
    const file = segmentFiles(root)[2]!;
    const first = Number.parseInt(path.basename(file), 10);
    edit(file, (bytes) => void flipBit(bytes, (128 + 150) * 8));
    const items = [...readerOn(root).entries()].map((item) => item.entry?.seq ?? item.damage!.kind);
    expect(items.slice(first - 2, first + 1)).toEqual([first - 1, 'body', first + 1]);
  });

  it('gives only what concerns the range', () => {
    const root = manySegments(20);
    edit(segmentFiles(root)[0]!, (bytes) => void flipBit(bytes, (128 + 150) * 8));
    expect(readAll(root, 2, 3).damage).toEqual([]);
    expect(readAll(root, 1, 1)).toMatchObject({
      seqs: [],
      damage: [{ kind: 'body', firstSeq: 1 }],
    });
    const last = segmentFiles(root)[1]!;
    const first = Number.parseInt(path.basename(last), 10);
    edit(last, (bytes) => void flipBit(bytes, 128 * 8));
    expect(readAll(root, 1, first - 1).damage).toMatchObject([{ kind: 'body' }]);
    edit(segmentFiles(root)[0]!, (bytes) => void flipBit(bytes, (bytes.length - 100) * 8));
    expect(readAll(root, 2, first - 1).damage).toMatchObject([{ firstSeq: first - 1 }]);
  });

  it('comes in its place also where neither the chunk nor the index tells of it: before the events behind it', async () => {
    const chunks = inChunks(entriesOf(1, 6, 30, true), 2);
    const makers = { zstd: await loadZstd(), xxh64: realPorts.xxh64 };
    const { fs, ports, root, target, stretches } = craftJournal('x', [{ chunks }], 0, makers);
    const read = () =>
      [...new JournalReader(ports, root, decoders).entries()].map(
        ({ entry, damage }) => entry?.seq ?? [damage?.kind, damage?.firstSeq, damage?.lastSeq],
      );
    const lost = (chunk: number) => {
      const bytes = Buffer.from(fs.bytesOf(target));
      const { start } = stretches[chunk]!;
      fs.rot(target, bytes.fill(0, start, start + 8).fill(0, bytes.length - 8));
    };
    const index = ['index', null, null];
    lost(1);
    expect(read()).toEqual([1, 2, ['chunk', 3, 4], 5, 6, index]);
    lost(0);
    expect(read()).toEqual([['chunk', 1, 4], 5, 6, index]);
  });

  it('tells of the events of a chunk that was left out of file and index', () => {
    const root = newRoot();
    const vector = 'journal-format/vectors/hostile/sealed-chunk-left-out';
    cpSync(vector, layoutOf(root).journal, { recursive: true });
    const read = [...readerOn(root).entries()].map(
      ({ entry, damage }) => entry?.seq ?? damage!.kind,
    );
    expect(read).toEqual([1, 2, 'chunk', 5, 6, 'index']);
  });

  it('tells of a segment that is missing, after it has looked again', () => {
    const root = manySegments(20);
    const [, second, third] = segmentFiles(root);
    const [from, next] = [second!, third!].map((file) => Number.parseInt(path.basename(file), 10));
    rmSync(second!);
    expect(readAll(root)).toMatchObject({
      seqs: [...range(1, from! - 1), ...range(next!, 20)],
      damage: [{ kind: 'missing', firstSeq: from, lastSeq: next! - 1 }],
    });
    rmSync(segmentFiles(root)[0]!);
    expect(readAll(root).damage).toMatchObject([
      { kind: 'missing', firstSeq: 1, lastSeq: next! - 1 },
    ]);
    expect(readAll(root, next! + 1).damage).toEqual([]);
  });

  it.each(['folder', 'link', 'too large'])('of a segment that is a %s does not stop it', (what) => {
    const root = manySegments(20);
    const [, second] = segmentFiles(root);
    if (what === 'too large') truncateSync(second!, 64 * 1024 * 1024 + 1);
    else rmSync(second!);
    if (what === 'folder') mkdirSync(second!);
    if (what === 'link') symlinkSync('/etc/passwd', second!);
    expect(readAll(root).damage).toMatchObject([{ kind: 'segment-header' }]);
    expect(damageOf(root)).toHaveLength(1);
  });

  it('by a bad disk costs that segment; a forbidden file is an error with a next step', () => {
    const root = manySegments(20);
    const second = segmentFiles(root)[1]!;
    const failing = (code: string) =>
      withFailing('open', code, (file, flags) => file === second && flags === 'r');
    expect(readAll(root, 1, 99, failing('EIO')).damage).toMatchObject([{ kind: 'segment-header' }]);
    for (const code of ['EACCES', 'EPERM'])
      expect(() => readAll(root, 1, 99, failing(code))).toThrow(
        expect.objectContaining({
          code: 'FS_PERMISSION_DENIED',
          place: { file: second },
          next: expect.stringContaining('allow reading and writing'),
        }),
      );
    expect(() => readAll(root, 1, 99, failing('EMFILE'))).toThrow(/EMFILE/);
  });
});

describe('reading while others work', () => {
  it('looks again for a segment that was sealed between listing and opening', () => {
    const root = manySegments();
    const ports = afterListing(originFolder(root), () => compact(root));
    expect(readAll(root, 1, 99, ports)).toMatchObject({ seqs: range(1, 40), damage: [] });
  });

  it('looks again when a listing missed a segment that was just renamed', () => {
    const root = manySegments();
    const missed = path.basename(segmentFiles(root)[3]!);
    let isFirst = true;
    const ports = portsWith({
      readdir: (dir) => {
        const names = realPorts.fs.readdir(dir);
        if (dir !== originFolder(root) || !isFirst) return names;
        isFirst = false;
        return names.filter((name) => name !== missed);
      },
    });
    expect(readAll(root, 1, 99, ports)).toMatchObject({ seqs: range(1, 40), damage: [] });
  });

  it('goes on through a compaction that seals all segments under a slow reader', () => {
    const root = manySegments();
    const seqs: number[] = [];
    for (const item of readerOn(root).entries()) {
      expect(item.damage).toBeUndefined();
      seqs.push(item.entry!.seq);
      if (seqs.length === 3) compact(root, { level: 3 });
      if (seqs.length === 12) compact(root);
      if (seqs.length === 20) appendAll(root, eventsOf(5));
    }
    expect(seqs.slice(0, 40)).toEqual(range(1, 40));
  });

  it('gives up on a segment that is listed and can never be opened', () => {
    const root = manySegments(20);
    const second = segmentFiles(root)[1]!;
    let tries = 0;
    const ports = withFailing('open', 'ENOENT', (file) => {
      if (file === second) tries += 1;
      return file === second;
    });
    expect(readAll(root, 1, 99, ports).damage).toMatchObject([{ kind: 'segment-header' }]);
    // After each of five listings in windows, and as a whole.
    expect(tries).toBe(10);
  });

  it('sees an append as whole or not at all, however the file is seen growing', () => {
    const root = journalOf(10);
    const [file] = segmentFiles(root);
    const { size } = realPorts.fs.stat(file!);
    for (let length = 128; length <= size; length += 11) {
      const ports = portsWith({
        fstat: (fd) => {
          const stat = realPorts.fs.fstat(fd);
          return stat.size === size ? { ...stat, size: length } : stat;
        },
      });
      const { seqs, damage } = readAll(root, 1, 99, ports);
      expect(seqs).toEqual(range(1, seqs.length));
      expect(damage).toEqual([]);
    }
  });
});

describe('a second origin', () => {
  it('of the same journal is sound, and does not disturb compaction', () => {
    const root = manySegments(10);
    const own = originFolder(root);
    const twin = path.join(path.dirname(own), 'f'.repeat(32));
    cpSync(own, twin, { recursive: true });
    expect(verify(root).damage.every((one) => one.segment.startsWith('f'.repeat(32)))).toBe(true); // their originId is not theirs
    rmSync(twin, { recursive: true });
    renameSync(own, twin);
    expect(readAll(root).seqs).toEqual([]); // the manifest knows whose journal it is
    expect(compact(root).segments).toHaveLength(1);
  });
});

describe('the inbox, read', () => {
  it('does not make anybody hold gigabytes', () => {
    const root = journalOf(1);
    const event = () => ({ ...newEvent(), payload: Buffer.alloc(1_000_000, 1) });
    const layout = layoutOf(root);
    for (let i = 0; i < 9; i += 1) spool(realPorts, layout, Array.from({ length: 8 }, event));
    const read = readerOn(root).inbox();
    expect(read).toHaveLength(Math.floor(INBOX_READ_BYTES_MAX / 1_000_000));
    expect(verify(root).waiting).toBe(9);
  });

  it('passes by a file that was drained meanwhile, and only that', () => {
    const root = journalOf(1);
    spool(realPorts, layoutOf(root), [newEvent()]);
    const failing = (code: string) => withFailing('open', code);
    const read = (code: string) => new JournalReader(failing(code), root, decoders).inbox();
    expect(read('ENOENT')).toEqual([]);
    expect(() => read('EACCES')).toThrow(/EACCES/);
  });
});

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SEGMENT_BYTES_MAX } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader, encodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { unreadNames } from '../../../src/journal/repair/by-hand.ts';
import { type RepairItem, RUN } from '../../../src/journal/repair/piece.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { decoders, realPorts } from '../../support.ts';
import { fourSegments, plannedRepair, range } from '../journals.ts';
import { appendAll, eventsOf, readAll, segmentFiles } from '../support.ts';

const plan = (root: string) => plannedRepair(root);
const repair = (root: string) => repairJournal(realPorts, root, decoders);
const verify = (root: string) => verifyJournal(realPorts, root, decoders);

/** Runs what a repair says that a person may run. */
function runAll(items: readonly RepairItem[]): void {
  for (const { what } of items)
    for (const command of what.split(RUN).slice(1)) execFileSync('sh', ['-c', command]);
}

function swap(one: string, other: string): void {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(`${one}.aside`, other);
}

describe('files that a person moved', () => {
  it.each([
    ['two that are closed', 1, 2],
    ['one of them appended to', 2, 3],
  ])('segments that were swapped are set aside, and the commands bring all back: %s', (_, a, b) => {
    const root = fourSegments();
    const files = segmentFiles(root);
    swap(files[a]!, files[b]!);
    const { items, kept, lost, after } = repair(root);
    expect(items.map(({ action }) => action)).toEqual(['set-aside', 'set-aside']);
    expect([after.ok, kept.length, lost.length > 0]).toEqual([true, 2, true]);
    runAll(items);
    expect(readAll(root).seqs.slice(0, 12)).toEqual(range(1, 12));
    expect(verify(root).damage).toEqual([]);
  });

  it('a copy under another number is set aside, and its command overwrites nothing', () => {
    const root = fourSegments();
    const [, second] = segmentFiles(root);
    const before = readFileSync(second!);
    copyFileSync(second!, second!.replace('0004.b10', '0900.b10'));
    const { items, after } = repair(root);
    expect(items).toMatchObject([{ action: 'set-aside' }, { kind: 'missing' }]);
    expect(after.ok).toBe(true);
    appendAll(root, eventsOf(1));
    writeFileSync(second!, before);
    runAll(items);
    expect(readFileSync(second!)).toEqual(before);
  });

  it('a sound header with a number that is no seq names no place', () => {
    const root = fourSegments();
    const file = segmentFiles(root)[2]!;
    const bytes = readFileSync(file);
    const header = decodeSegmentHeader(bytes, xxh64)!;
    bytes.set(encodeSegmentHeader({ ...header, firstSeq: 2 ** 53 }, xxh64));
    writeFileSync(file, bytes);
    const [item] = plan(root);
    expect(item).toMatchObject({ action: 'set-aside', firstSeq: 7, lastSeq: 9 });
    expect(item!.what).not.toContain(RUN);
  });

  it.each([
    '4.b10',
    '0000000000000004.B10',
    "0000000000000004 (Ann's conflicted copy).b10",
    '0000000000000004.sync-conflict-20261120-101112-ABC.b10',
    '0000000000000004.b10~',
  ])('a missing segment that is there as %s is named, and the command puts it back', (name) => {
    const root = fourSegments();
    const file = segmentFiles(root)[1]!;
    const stray = path.join(path.dirname(file), name);
    renameSync(file, stray.replace('.b10', file.endsWith('z') ? '.b10z' : '.b10'));
    const items = plan(root);
    expect(items).toMatchObject([{ kind: 'missing', action: 'record', firstSeq: 4, lastSeq: 6 }]);
    expect(repair(root).after.ok).toBe(true);
    runAll(items);
    expect(readAll(root).seqs.slice(0, 12)).toEqual(range(1, 12));
    expect(verify(root).damage).toEqual([]);
  });

  it('a missing segment that gzip packed is named, and the command unpacks it', () => {
    const root = fourSegments();
    const file = segmentFiles(root)[2]!;
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    renameSync(file, path.join(root, 'away'));
    const items = plan(root);
    expect(items).toMatchObject([{ kind: 'missing', firstSeq: 7, lastSeq: 9 }]);
    runAll(items);
    expect(plan(root)).toEqual([]);
  });

  it('files that are no segment of this journal, or hold no missing event, are not named', () => {
    const root = fourSegments();
    const files = segmentFiles(root);
    const folder = path.dirname(files[1]!);
    writeFileSync(path.join(folder, '04.b10'), 'no segment');
    writeFileSync(path.join(folder, '0000000000000001.b10.gz'), 'of another');
    copyFileSync(files[0]!, path.join(folder, '1.b10z'));
    renameSync(files[1]!, path.join(root, 'away'));
    const [item] = plan(root);
    expect(item).toMatchObject({ kind: 'missing', firstSeq: 4, lastSeq: 6 });
    expect(item!.what).not.toContain(RUN);
    expect(unreadNames(realPorts, layoutOf(root))).toEqual([
      '0000000000000001.b10.gz',
      '04.b10',
      '1.b10z',
    ]);
    expect(unreadNames(realPorts, layoutOf('/nowhere'))).toEqual([]);
  });
});

describe('a segment to which so much was added that no reader opens it', () => {
  it('is set aside, and the command brings its events back', { tags: 'long' }, () => {
    const root = fourSegments();
    truncateSync(segmentFiles(root)[2]!, SEGMENT_BYTES_MAX + 4097);
    const { items, after } = repair(root);
    expect(items).toMatchObject([{ action: 'set-aside', kind: 'segment-header' }]);
    expect(after.ok).toBe(true);
    runAll(items);
    expect(repair(root).after.ok).toBe(true);
    expect(readAll(root).seqs.slice(0, 12)).toEqual(range(1, 12));
  });

  it('gives no seq away that it may hold', () => {
    const root = fourSegments();
    const files = segmentFiles(root);
    for (const file of files.slice(2)) realPorts.fs.unlink(file);
    truncateSync(files[1]!, SEGMENT_BYTES_MAX + 4097);
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs.at(-1)).toBeGreaterThan(6);
  });
});

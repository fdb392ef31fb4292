/** @module-tag long */
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SEGMENT_BYTES_MAX } from '../../../src/journal/format/format.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { loadGrown } from '../../../src/journal/read/grown.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { planRepair, repairJournal } from '../../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { decoders, realPorts } from '../../support.ts';
import { fourSegments, range } from '../journals.ts';
import { appendAll, eventsOf, portsWith, readAll, segmentFiles } from '../support.ts';

const plan = (root: string) => planRepair(realPorts, root, decoders);
const repair = (root: string) => repairJournal(realPorts, root, decoders);
const verify = (root: string) => verifyJournal(realPorts, root, decoders);
const seqsOf = (root: string) => readAll(root).entries.map(({ seq }) => seq);
const quarantine = (root: string) => layoutOf(root).quarantine;
const BEYOND = SEGMENT_BYTES_MAX + 4097;

/** Zeros behind a segment, or other bytes up to the size that a segment may have and zeros behind them. */
function grow(file: string, tail: Buffer = Buffer.alloc(0)): Buffer {
  const before = readFileSync(file);
  writeFileSync(file, Buffer.concat([before, tail]));
  truncateSync(file, BEYOND);
  return before;
}

describe('a segment that grew beyond what one may have', () => {
  it('and is no segment of the journal any more has no event that is believed', () => {
    const root = fourSegments();
    const [file] = ownSegments(realPorts, layoutOf(root));
    grow(file!.path);
    const elsewhere = { ...file!, journalId: 'f'.repeat(32) };
    expect(loadGrown(realPorts, file!)?.header).toBeDefined();
    expect(loadGrown(realPorts, elsewhere)).toMatchObject({ header: undefined, size: BEYOND });
  });

  it.each([
    [0, 'sealed'],
    [2, 'closed'],
    [3, 'appended to'],
  ])(
    'by zeros (segment %i, %s) loses no event by a repair, which keeps the file as it is',
    (index) => {
      const root = fourSegments();
      const file = segmentFiles(root)[index]!;
      const before = grow(file);
      expect(verify(root).damage).toMatchObject([{ kind: 'segment-header', bytes: BEYOND }]);
      expect(plan(root)).toMatchObject([
        { action: 'cut', offset: before.length, bytes: BEYOND - before.length, firstSeq: null },
      ]);
      const { items, kept, lost, after } = repair(root);
      expect(items).toHaveLength(1);
      expect(lost).toEqual([]);
      expect(after.ok).toBe(true);
      expect(seqsOf(root)).toEqual(range(1, after.lastSeq!));
      expect(readFileSync(file)).toEqual(before);
      expect(kept).toEqual(readdirSync(quarantine(root)));
      const whole = readFileSync(`${quarantine(root)}/${kept[0]}`);
      expect(whole).toHaveLength(BEYOND);
      expect(whole.subarray(0, before.length)).toEqual(before);
    },
  );

  it('by other bytes loses none either, and all of them are kept', () => {
    const root = fourSegments();
    const file = segmentFiles(root)[2]!;
    const before = grow(file, Buffer.alloc(5000, 'x'));
    expect(plan(root)).toMatchObject([
      { action: 'cut', offset: before.length + 5000 },
      { kind: 'tail', action: 'cut', offset: before.length, bytes: 5000, firstSeq: null },
    ]);
    const { lost, after } = repair(root);
    expect({ lost, ok: after.ok }).toEqual({ lost: [], ok: true });
    expect(readFileSync(file)).toEqual(before);
  });

  it('loses what is damaged in it, and no more', () => {
    const root = fourSegments();
    const file = segmentFiles(root)[2]!;
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, 300, 420));
    grow(file);
    const { lost, after } = repair(root);
    expect(after.ok).toBe(true);
    expect(lost).toMatchObject([{ firstSeq: 7, lastSeq: 7 }]);
    expect(seqsOf(root)).toEqual(range(1, after.lastSeq!).filter((seq) => seq !== 7));
  });

  it('is gone on behind by the next append, with the next seq and the chain that it ends with', () => {
    const root = fourSegments();
    grow(segmentFiles(root)[3]!);
    appendAll(root, eventsOf(2));
    expect(segmentFiles(root)).toHaveLength(5);
    // The first one tells that a segment grew.
    expect(seqsOf(root).slice(-3)).toEqual([13, 14, 15]);
    const { lost, after } = repair(root);
    expect({ lost, ok: after.ok }).toEqual({ lost: [], ok: true });
    expect(seqsOf(root)).toEqual(range(1, 16));
  });

  it('is gone on behind where it is sealed and the newest', () => {
    const root = fourSegments();
    const files = segmentFiles(root);
    for (const file of files.slice(2)) realPorts.fs.unlink(file);
    grow(files[1]!);
    appendAll(root, eventsOf(1));
    expect(seqsOf(root).filter((seq) => seq > 3)).toEqual([7]);
    expect(repair(root).after.ok).toBe(true);
    expect(seqsOf(root)).toEqual(range(1, 8));
  });

  it('is in its place or in quarantine when a repair dies at any rename, and the next repair ends it', () => {
    let isGone = false;
    for (let left = 0; ; left += 1) {
      const root = fourSegments();
      const file = segmentFiles(root)[2]!;
      grow(file);
      let calls = 0;
      const rename = (from: string, to: string) => {
        calls += 1;
        if (calls > left) throw new RangeError('killed');
        realPorts.fs.rename(from, to);
      };
      let isDone = false;
      try {
        repairJournal(portsWith({ rename }), root, decoders);
        isDone = true;
      } catch (error) {
        expect((error as Error).message).toMatch(/killed/);
      }
      isGone ||= !existsSync(file);
      const { after } = repair(root);
      expect({ left, ok: after.ok }).toEqual({ left, ok: true });
      expect(seqsOf(root).slice(0, 12)).toEqual(range(1, 12));
      if (isDone) break;
    }
    expect(isGone).toBe(true);
  });

  it('is none up to that size, nor what is a folder, gone, or not given by the disk', () => {
    const root = fourSegments();
    const [file] = ownSegments(realPorts, layoutOf(root));
    truncateSync(file!.path, SEGMENT_BYTES_MAX);
    expect(loadGrown(realPorts, file!)).toBeUndefined();
    expect(loadGrown(realPorts, { ...file!, path: root })).toBeUndefined();
    expect(loadGrown(realPorts, { ...file!, path: `${root}/none` })).toBeUndefined();
    truncateSync(file!.path, SEGMENT_BYTES_MAX + 1);
    expect(loadGrown(realPorts, file!)?.size).toBe(statSync(file!.path).size);
    expect(loadGrown(portsWith({ read: () => 0 }), file!)).toBeUndefined();
    const failing = portsWith({
      read: () => {
        throw Object.assign(new Error('EIO'), { code: 'EIO' });
      },
    });
    expect(loadGrown(failing, file!)).toBeUndefined();
  });
});

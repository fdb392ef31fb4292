import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPAIRED_TYPE } from '../../../src/journal/append/own-events.ts';
import { SEGMENT_FLAG } from '../../../src/journal/format/format.ts';
import type { Entry, Frame } from '../../../src/journal/format/frame.ts';
import { hintPath, NO_HINT, readHint } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { writeHint } from '../../hints.ts';
import { codeOf, newEvent, realPorts, scratch, twinOf } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  appendAll,
  damageOf,
  durable,
  edit,
  eventsOf,
  flipBit,
  journalOf,
  newRoot,
  originFolder,
  portsWith,
  quarantined,
  readAll,
  repairsOf,
  segmentFiles,
  systemError,
  verify,
  withFailing,
  writerOn,
} from '../support.ts';

/** A journal of events that are all on disk, as its hint knows. */
function synced(count: number): string {
  const root = newRoot();
  appendAll(root, durable(eventsOf(count)));
  return root;
}

const only = (root: string): string => segmentFiles(root)[0]!;
const cut = (root: string, bytes: number) =>
  edit(only(root), (all) => all.subarray(0, all.length - bytes));

/** An entry of an active segment. */
const place = (entry: Entry): Frame => entry as Frame;

describe('a torn tail', () => {
  it('is cut by the next writer, kept in quarantine, and told of in an event', () => {
    const root = journalOf(5);
    const before = readFileSync(only(root));
    cut(root, 20);
    expect(damageOf(root)).toEqual(['tail 5-null']);
    appendAll(root, eventsOf(1));
    const { offset } = place(readAll(root).entries[4]!);
    expect(repairsOf(root)).toEqual([
      {
        kept: readdirSync(layoutOf(root).quarantine)[0],
        seq: 5,
        type: REPAIRED_TYPE,
        kind: 'torn-tail',
        segment: path.basename(only(root)),
        offset,
        bytes: before.length - 20 - offset,
      },
    ]);
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3, 4, 5, 6], damage: [] });
    const [kept] = quarantined(root);
    expect(kept).toMatch(new RegExp(`^0000000000000001\\.b10\\.${offset}\\.[0-9a-f]{12}$`));
    expect(readFileSync(path.join(layoutOf(root).quarantine, kept!))).toEqual(
      before.subarray(offset, before.length - 20),
    );
    expect(verify(root)).toMatchObject({ ok: true, events: 6 });
  });

  it('is cut at every length, and what was whole stays', () => {
    const source = journalOf(3);
    const whole = readFileSync(only(source));
    const ends = [...readAll(source).entries.map((entry) => place(entry).offset), whole.length];
    for (let length = whole.length - 1; length >= 128; length -= 13) {
      const root = path.join(scratch(), '.ben10');
      twinOf(source, root);
      writeFileSync(only(root), whole.subarray(0, length));
      appendAll(root, [newEvent({ data: 'next' })]);
      const kept = ends.filter((end) => end <= length).length - 1;
      const isTorn = !ends.includes(length);
      expect(readAll(root).seqs, `${length} bytes`).toHaveLength(kept + (isTorn ? 2 : 1));
      expect(damageOf(root), `${length} bytes`).toEqual([]);
    }
  });

  it('of garbage, of zeros, or of a frame whose body never arrived, is cut', () => {
    for (const tail of [Buffer.alloc(300, 0xee), Buffer.alloc(4096), Buffer.from('F01B')]) {
      const root = journalOf(3);
      edit(only(root), (bytes) => Buffer.concat([bytes, tail]));
      appendAll(root, eventsOf(1));
      expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', bytes: tail.length }]);
      expect(verify(root)).toMatchObject({ ok: true, lastSeq: 5 });
    }
    const root = journalOf(3);
    edit(only(root), (bytes) => void bytes.fill(0, bytes.length - 40));
    appendAll(root, eventsOf(1));
    expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', seq: 3 }]);
    expect(verify(root).ok).toBe(true);
  });

  it('of several damaged frames is cut at the first of them', () => {
    const root = journalOf(6);
    const { entries } = readAll(root);
    const at = (seq: number) => place(entries[seq - 1]!).offset;
    const offsets = [at(4), at(5), at(6)];
    edit(only(root), (bytes) => {
      for (const offset of offsets) bytes[offset + 135]! ^= 1;
      return undefined;
    });
    appendAll(root, eventsOf(1));
    expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', seq: 4, offset: offsets[0] }]);
    expect(verify(root).ok).toBe(true);
  });

  it('that reaches back to the header leaves an empty segment to go on with', () => {
    const root = journalOf(1);
    edit(only(root), (bytes) => bytes.subarray(0, 200));
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs).toEqual([1, 2]);
    expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', offset: 128, bytes: 72 }]);
  });

  it('is recovered twice as once: a crash after the cut, or before it, changes nothing', () => {
    const root = journalOf(5);
    cut(root, 20);
    let calls = 0;
    const dying = portsWith({
      truncate: () => {
        calls += 1;
        throw systemError('EIO');
      },
    });
    const writer = writerOn(root, {}, dying);
    expect(writer.append(eventsOf(1)).spooled).toBe(true);
    expect([calls, quarantined(root).length]).toEqual([1, 1]);
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(repairsOf(root)).toHaveLength(1);
    const once = readFileSync(only(root));
    const again = writerOn(root);
    expect(again.drain()).toBe(true);
    expect(readFileSync(only(root))).toEqual(once);
  });

  it('is not seen in a file that could only be read in part: nothing is cut then', () => {
    const root = journalOf(5);
    const before = readFileSync(only(root));
    const short = portsWith({
      read: (fd, into, position) => realPorts.fs.read(fd, into.subarray(0, 700), position),
    });
    const writer = writerOn(root, {}, short);
    expect(writer.append(eventsOf(1)).spooled).toBe(true);
    expect(readFileSync(only(root))).toEqual(before);
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, events: 7 });
  });

  it('is not cut when its bytes cannot be kept first', () => {
    const root = journalOf(5);
    cut(root, 20);
    const before = readFileSync(only(root));
    const full = withFailing(
      'open',
      'ENOSPC',
      (file) => file.includes('/quarantine/') || file.includes('/inbox/'),
    );
    const writer = writerOn(root, {}, full);
    expect(codeOf(() => writer.append(eventsOf(1)))).toBe('FS_WRITE_ERROR');
    expect(readFileSync(only(root))).toEqual(before);
  });
});

describe('lost durable events', () => {
  it('are not cut: a new segment goes on behind everything that was ever claimed', () => {
    const root = synced(5);
    cut(root, 20);
    const before = readFileSync(only(root));
    appendAll(root, eventsOf(2));
    const [old, next] = segmentFiles(root);
    expect(readFileSync(old!)).toEqual(before);
    expect(path.basename(next!)).toBe('0000000000000006.b10');
    expect(decodeSegmentHeader(readFileSync(next!), realPorts.xxh64)!.flags).toBe(
      SEGMENT_FLAG.afterDamage,
    );
    expect(repairsOf(root)).toMatchObject([{ kind: 'lost-durable', seq: 6 }]);
    expect(readAll(root)).toMatchObject({
      seqs: [1, 2, 3, 4, 6, 7, 8],
      damage: [{ kind: 'tail', firstSeq: 5 }],
    });
    expect(damageOf(root)).toEqual(['tail 5-5']);
    expect(quarantined(root)).toEqual([]);
  });

  it('are noticed even when the file ends with a whole event', () => {
    const root = synced(5);
    const { entries } = readAll(root);
    const offset = place(entries[3]!).offset;
    edit(only(root), (bytes) => bytes.subarray(0, offset));
    expect(damageOf(root)).toEqual(['missing 4-5']);
    appendAll(root, eventsOf(1));
    expect(repairsOf(root)).toMatchObject([{ kind: 'lost-durable', seq: 6, bytes: 0 }]);
    expect(damageOf(root)).toEqual(['missing 4-5']);
    expect(readAll(root)).toMatchObject({
      seqs: [1, 2, 3, 6, 7],
      damage: [{ kind: 'missing', firstSeq: 4, lastSeq: 5 }],
    });
  });

  it('are known from the frames themselves when the hint is lost', () => {
    const root = synced(6); // event 6 says that 5 were on disk
    rmSync(path.join(originFolder(root), 'synced'));
    const { entries } = readAll(root);
    const offset = place(entries[3]!).offset;
    edit(only(root), (bytes) => void bytes.fill(0xee, offset, offset + 50)); // in the middle: 6 still claims
    expect(damageOf(root)).toEqual(['header 4-4']);
    edit(only(root), (bytes) => bytes.subarray(0, bytes.length - 10));
    appendAll(root, eventsOf(1));
    expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', seq: 6 }]); // 5 is there, and 6 was never claimed
  });

  it('are judged more mildly, never more harshly, when the hint is stale', () => {
    const root = synced(5);
    const file = hintPath(layoutOf(root), path.basename(originFolder(root)));
    expect(readHint(realPorts, file).syncedUpto).toBe(5);
    writeHint(realPorts, file, { syncedUpto: 2, syncedAt: 0 });
    cut(root, 20);
    appendAll(root, eventsOf(1));
    expect(repairsOf(root)).toMatchObject([{ kind: 'torn-tail', seq: 5 }]);
    expect(readHint(realPorts, file)).not.toEqual(NO_HINT);
  });

  it('of an empty newest segment do not lead to a second one of the same name', () => {
    const root = synced(3);
    const writer = writerOn(root);
    expect(writer.rotate(0)).toBe(true);
    const file = hintPath(layoutOf(root), path.basename(originFolder(root)));
    writeHint(realPorts, file, { syncedUpto: 9, syncedAt: 0 });
    appendAll(root, eventsOf(1));
    expect(segmentFiles(root).map((one) => path.basename(one))).toEqual([
      '0000000000000001.b10',
      '0000000000000004.b10',
      '0000000000000010.b10',
    ]);
    expect(damageOf(root)).toEqual(['missing 4-9']);
  });
});

describe('a damaged header of the newest segment', () => {
  it('with one flipped bit costs nothing: all events are read, and a new segment goes on behind them', () => {
    for (const bit of [0, 60, 100, 130, 400, 600, 800, 900, 1000]) {
      const root = journalOf(4);
      const before = readFileSync(only(root));
      edit(only(root), (bytes) => void flipBit(bytes, bit));
      expect(readAll(root).seqs, `bit ${bit}`).toEqual([1, 2, 3, 4]);
      appendAll(root, eventsOf(1));
      expect(repairsOf(root)).toMatchObject([
        { kind: 'bad-header', seq: 5, offset: 0, bytes: 128 },
      ]);
      expect(readAll(root)).toMatchObject({
        seqs: [1, 2, 3, 4, 5, 6],
        damage: [{ kind: 'segment-header', firstSeq: null }],
      });
      expect(damageOf(root)).toEqual(['segment-header null-null']);
      expect(readFileSync(only(root)).subarray(128)).toEqual(before.subarray(128));
    }
  });

  it('with more damage loses the file, and no seq that it may hold is given away again', () => {
    const root = journalOf(4);
    edit(only(root), (bytes) => void bytes.fill(0, 0, 64));
    const { size } = statSync(only(root));
    appendAll(root, eventsOf(1));
    const next = Math.floor((size - 128) / 144) + 1;
    expect(repairsOf(root)).toMatchObject([{ kind: 'bad-header', seq: next, bytes: size }]);
    expect(next).toBeGreaterThan(4);
    expect(readAll(root)).toMatchObject({
      seqs: [next, next + 1],
      damage: [{ kind: 'segment-header', firstSeq: 1 }],
    });
    expect(damageOf(root)).toEqual([`segment-header 1-${next - 1}`]);
  });

  it('chains on what stands before the lost file', () => {
    const root = journalOf(4);
    const writer = writerOn(root);
    writer.rotate(0);
    writer.append(eventsOf(1));
    const { head } = verify(root);
    edit(segmentFiles(root)[1]!, (bytes) => void bytes.fill(0, 0, 128));
    appendAll(root, eventsOf(1));
    const third = decodeSegmentHeader(readFileSync(segmentFiles(root)[2]!), realPorts.xxh64)!;
    const { entries } = readAll(root, 1, 4);
    expect(third.prevChain).toEqual(place(entries[3]!).chain);
    expect(third.prevChain.toString('hex')).not.toBe(head);
  });

  it('is not mended by a crash in a file that is empty', () => {
    const root = journalOf(2);
    writerOn(root).rotate(0);
    writeFileSync(segmentFiles(root)[1]!, '');
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs).toEqual([1, 2, 4, 5]);
    expect(damageOf(root)).toEqual(['segment-header 3-3']);
  });

  it('that belongs to another journal is not believed', () => {
    const [root, other] = [journalOf(2), journalOf(3)];
    const theirs = readFileSync(only(other));
    writeFileSync(only(root), theirs);
    expect(readAll(root).seqs).toEqual([]);
    appendAll(root, eventsOf(1));
    expect(readFileSync(only(root))).toEqual(theirs);
    expect(repairsOf(root)).toMatchObject([{ kind: 'bad-header' }]);
  });

  it('of a file that vanishes meanwhile is one that cannot be read', () => {
    const root = journalOf(2);
    edit(only(root), (bytes) => bytes.subarray(0, bytes.length - 3));
    const vanishing = withFailing(
      'open',
      'ENOENT',
      (file, flags) => file.endsWith('1.b10') && flags === 'r',
    );
    appendAll(root, eventsOf(1), {}, vanishing);
    expect(repairsOf(root)).toMatchObject([{ kind: 'bad-header', bytes: 0 }]);
  });
});

describe('a newest segment that is sealed', () => {
  it('is followed by a new one, also when its end is damaged', () => {
    const damages: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => bytes,
      (bytes) => bytes.fill(0, bytes.length - 128),
      (bytes) => bytes.fill(0, 128),
      (bytes) => bytes.fill(0, 0, 128),
    ];
    const firsts: number[] = [];
    for (const damage of damages) {
      const root = journalOf(5);
      writerOn(root).rotate(0);
      compact(root);
      const [sealed, active] = segmentFiles(root);
      rmSync(active!);
      edit(sealed!, damage);
      appendAll(root, eventsOf(1));
      firsts.push(Number.parseInt(path.basename(segmentFiles(root)[1]!), 10));
      // Without a footer nobody can say whether more stood behind it: that is told of first.
      const own = [0, 1, 1, 0][damages.indexOf(damage)]!;
      expect(readAll(root).seqs.at(-1)).toBe(firsts.at(-1)! + own);
    }
    expect(firsts.slice(0, 2)).toEqual([6, 6]);
    expect(firsts[2]).toBeGreaterThan(6); // as many as the file could have held
    expect(firsts[3]).toBe(6);
  });
});

describe('a newest sealed segment that vanishes while it is looked at', () => {
  it('is one that cannot be read', () => {
    const root = journalOf(5);
    writerOn(root).rotate(0);
    compact(root);
    rmSync(segmentFiles(root)[1]!);
    const vanishing = withFailing('open', 'ENOENT', (file) => file.endsWith('.b10z'));
    appendAll(root, eventsOf(1), {}, vanishing);
    expect(segmentFiles(root)).toHaveLength(2);
    expect(verify(root).events).toBeGreaterThan(5);
  });
});

describe('a closed segment whose end is damaged', () => {
  it('is no reason to stop when the newest one has to be recovered, too', () => {
    const root = journalOf(2);
    const writer = writerOn(root);
    writer.rotate(0);
    writer.append(eventsOf(1));
    const [old, newest] = segmentFiles(root);
    edit(old!, (bytes) => bytes.subarray(0, bytes.length - 5));
    edit(newest!, (bytes) => void bytes.fill(0, 0, 128));
    appendAll(root, eventsOf(1));
    expect(readAll(root).seqs[0]).toBe(1);
    expect(repairsOf(root)).toMatchObject([{ kind: 'bad-header' }]);
  });
});

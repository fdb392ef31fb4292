import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  SEGMENT_AGE_MS_MAX,
  SEGMENT_BYTES_MAX,
  SEGMENT_FLAG,
} from '../../../src/journal/format/format.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { newEvent, realPorts } from '../../support.ts';
import {
  appendAll,
  eventsOf,
  handClock,
  journalOf,
  newRoot,
  newWriter,
  originFolder,
  portsWith,
  readAll,
  recorded,
  segmentFiles,
  systemError,
  verify,
  writerOn,
} from '../support.ts';

const namesOf = (root: string) =>
  segmentFiles(root).map((file) => Number.parseInt(path.basename(file), 10));
const headerOf = (file: string) => decodeSegmentHeader(readFileSync(file), realPorts.xxh64)!;
const leftovers = (root: string) =>
  readdirSync(originFolder(root)).filter((name) => name.endsWith('.tmp'));

describe('a segment is closed', () => {
  it('at its size: the event that would go beyond it starts the next one', () => {
    const { root, writer } = newWriter({ segmentBytes: 2000 });
    for (const event of eventsOf(20, 300)) writer.append([event]);
    expect(namesOf(root).length).toBeGreaterThan(4);
    for (const file of segmentFiles(root))
      expect(readFileSync(file).length).toBeLessThanOrEqual(2000);
    expect(readAll(root)).toMatchObject({
      seqs: Array.from({ length: 20 }, (_, i) => i + 1),
      damage: [],
    });
    expect(verify(root)).toMatchObject({ ok: true, events: 20 });
  });

  it('at its size within one append of many events, too', () => {
    const { root, writer } = newWriter({ segmentBytes: 2000 });
    expect(writer.append(eventsOf(20, 300)).seqs).toHaveLength(20);
    expect(namesOf(root).length).toBeGreaterThan(4);
    for (const file of segmentFiles(root))
      expect(readFileSync(file).length).toBeLessThanOrEqual(2000);
    expect(verify(root)).toMatchObject({ ok: true, events: 20 });
  });

  it('never, before it has an event, however large that is', () => {
    const { root, writer } = newWriter({ segmentBytes: 2000 });
    for (const event of eventsOf(3, 5000)) writer.append([event]);
    writer.append(eventsOf(3, 5000));
    expect(namesOf(root)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(verify(root)).toMatchObject({ ok: true, events: 6 });
  });

  it('before it is larger than any reader opens, whatever size was asked for', {
    tags: 'long',
  }, () => {
    const { root, writer } = newWriter({ segmentBytes: 2 * SEGMENT_BYTES_MAX });
    const large = () => ({ ...newEvent(), payload: Buffer.alloc(1_000_000, 1) });
    for (let i = 0; i < 7; i += 1) writer.append(Array.from({ length: 10 }, large));
    expect(namesOf(root)).toEqual([1, 68]);
    expect(readAll(root)).toMatchObject({ damage: [], seqs: { length: 70 } });
  });

  it('at its age, not a millisecond sooner, and not when it is empty', () => {
    const root = newRoot();
    const clock = handClock();
    const ports = { ...realPorts, clock };
    const writer = writerOn(root, {}, ports);
    writer.append(eventsOf(1));
    const opened = headerOf(segmentFiles(root)[0]!).baseHlc.ms;
    clock.time = opened + SEGMENT_AGE_MS_MAX - 1;
    writer.append(eventsOf(1));
    expect(namesOf(root)).toEqual([1]);
    clock.time = opened + SEGMENT_AGE_MS_MAX;
    writer.append(eventsOf(1));
    expect(namesOf(root)).toEqual([1, 3]);
    writer.rotate(0);
    clock.time += 10 * SEGMENT_AGE_MS_MAX;
    writer.append(eventsOf(1));
    expect(namesOf(root)).toEqual([1, 3, 4]);
  });

  it('with a clock that goes on rising, also when the wall clock was set back before it', () => {
    const root = newRoot();
    const clock = handClock();
    const writer = writerOn(root, {}, { ...realPorts, clock });
    writer.append(eventsOf(2));
    clock.time -= 1_000_000;
    writer.rotate(0);
    writer.append(eventsOf(2));
    const { entries } = readAll(root);
    const clocks = entries.map(({ hlc }) => BigInt(hlc.ms) * 65536n + BigInt(hlc.count));
    expect(clocks).toEqual([...new Set(clocks)].sort((a, b) => (a < b ? -1 : 1)));
    expect(clocks).toHaveLength(4);
    expect(verify(root)).toMatchObject({ ok: true, segments: 2 });
  });

  it('is seen by a writer that had the old segment open, also where the folder shows no other time', () => {
    const root = newRoot();
    const { time } = handClock();
    const coarse = portsWith({
      statIfThere: (file) => {
        const stat = realPorts.fs.statIfThere(file);
        return stat?.isDirectory === true ? { ...stat, mtimeMs: time } : stat;
      },
    });
    const first = writerOn(root, {}, coarse);
    for (let count = 0; count < 2; count += 1) first.append(eventsOf(1));
    const other = writerOn(root);
    other.rotate(0);
    first.append(eventsOf(1));
    other.append(eventsOf(1));
    expect(namesOf(root)).toEqual([1, 3]);
    expect(readAll(root)).toMatchObject({ damage: [], seqs: [1, 2, 3, 4] });
    expect(verify(root)).toMatchObject({ ok: true, events: 4 });
  });

  it('on demand, when it has events and the size asked for', () => {
    const { root, writer } = newWriter();
    expect(writer.rotate(0)).toBe(false); // empty
    writer.append(eventsOf(1));
    const { length } = readFileSync(segmentFiles(root)[0]!);
    expect(writer.rotate(length + 1)).toBe(false);
    expect(writer.rotate(length)).toBe(true);
    expect(writer.rotate(0)).toBe(false); // empty again: it must not replace itself
    writer.append(eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, events: 2, segments: 2 });
  });
});

describe('the next segment', () => {
  it('has the chain, the identity and a later clock of the one before, and a salt of its own', () => {
    const { root, writer } = newWriter();
    writer.append(eventsOf(3));
    writer.rotate(0);
    writer.append(eventsOf(1));
    const [first, second] = segmentFiles(root).map(headerOf);
    const { entries } = readAll(root);
    expect(second).toMatchObject({
      firstSeq: 4,
      flags: 0,
      journalId: first!.journalId,
      originId: first!.originId,
    });
    expect(second!.prevChain).toEqual((entries[2] as unknown as { chain: Buffer }).chain);
    expect(second!.salt).not.toBe(first!.salt);
    expect(second!.baseHlc.ms).toBeGreaterThan(entries[2]!.hlc.ms);
    expect(entries[3]!.syncedUpto).toBe(3);
  });

  it('gets its name only when everything before it and its own header are on disk', () => {
    const root = journalOf(2);
    const { calls, ports } = recorded(['datasync', 'rename', 'syncDir', 'write']);
    writerOn(root, {}, ports).rotate(0);
    expect(calls).toEqual(['datasync', 'write', 'datasync', 'rename', 'syncDir']);
  });

  it.each(['write', 'rename', 'syncDir', 'datasync'] as const)(
    'that cannot be made (%s fails) leaves no file, and the journal goes on',
    (call) => {
      const root = journalOf(2);
      let isBroken = true;
      let syncs = 0;
      const ports = portsWith({
        [call]: (...args: never[]) => {
          // The first sync is that of the old segment: its failure is another story.
          if (call === 'datasync') syncs += 1;
          if (isBroken && (call !== 'datasync' || syncs > 1)) throw systemError('EIO');
          return (realPorts.fs[call] as (...given: never[]) => unknown)(...args);
        },
      });
      const writer = writerOn(root, {}, ports);
      expect(() => writer.rotate(0)).toThrow(expect.objectContaining({ code: 'FS_WRITE_ERROR' }));
      expect([namesOf(root), leftovers(root)]).toEqual([[1], []]);
      isBroken = false;
      expect(writer.append(eventsOf(1)).seqs).toEqual([3]);
      expect(writer.rotate(0)).toBe(true);
      expect(verify(root)).toMatchObject({ ok: true, events: 3, segments: 2 });
    },
  );

  it('is found by a writer that still has the old one open', () => {
    const root = newRoot();
    const [one, two] = [writerOn(root), writerOn(root)];
    one.append(eventsOf(2));
    two.append(eventsOf(1));
    two.rotate(0);
    expect(one.append([newEvent()]).seqs).toEqual([4]);
    expect(namesOf(root)).toEqual([1, 4]);
    expect(verify(root)).toMatchObject({ ok: true, events: 4 });
  });
});

describe('what a crash in a rotation leaves', () => {
  it('a temporary file does not disturb anybody', () => {
    const root = journalOf(2);
    writeFileSync(
      path.join(originFolder(root), '0000000000000003.b10.abcdefabcdef.tmp'),
      'half a header',
    );
    appendAll(root, eventsOf(1));
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3], damage: [] });
    expect(verify(root).ok).toBe(true);
  });

  it('an empty segment is used', () => {
    const root = journalOf(2);
    writerOn(root).rotate(0);
    expect(verify(root)).toMatchObject({ ok: true, events: 2, segments: 2 });
    appendAll(root, eventsOf(1));
    expect(namesOf(root)).toEqual([1, 3]);
    expect(headerOf(segmentFiles(root)[1]!).flags & SEGMENT_FLAG.afterDamage).toBe(0);
    expect(verify(root)).toMatchObject({ ok: true, events: 3 });
  });
});

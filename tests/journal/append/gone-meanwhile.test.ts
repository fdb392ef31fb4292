import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lossBehind } from '../../../src/journal/append/recover.ts';
import { dropEvents } from '../../../src/journal/erase/retention.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { treatments } from '../../../src/journal/repair/plan.ts';
import { decoders, realPorts } from '../../support.ts';
import { codecs, fourSegments } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  originFolder,
  portsWith,
  readAll,
  segmentFiles,
  verify,
} from '../support.ts';

/** A file system that still lists a file that somebody else has moved away since. */
const stillListing = (file: string) =>
  portsWith({
    readdir: (dir) => {
      const names = realPorts.fs.readdir(dir);
      return dir === path.dirname(file) ? [...names, path.basename(file)] : names;
    },
  });

describe('a segment that is gone a moment after it was listed', () => {
  it('is neither waited for nor set aside by an append, where its name is none that a journal comes to', () => {
    const root = fourSegments();
    const stray = path.join(originFolder(root), `${Number.MAX_SAFE_INTEGER}.b10`);
    appendAll(root, eventsOf(1), {}, stillListing(stray));
    expect(existsSync(layoutOf(root).quarantine)).toBe(false);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(verify(root).ok).toBe(true);
  });

  it('is left to whoever repaired it meanwhile', () => {
    const root = fourSegments();
    const damage = { kind: 'chunk', offset: 128, bytes: 40, firstSeq: 4, lastSeq: 6 } as const;
    const there = { ...damage, segment: path.basename(segmentFiles(root)[1]!) };
    const gone = { ...damage, segment: '0000000000000005.b10' };
    const treated = [...treatments(realPorts, layoutOf(root), [gone, there], decoders)];
    expect(treated.map(({ file }) => file.firstSeq)).toEqual([4]);
  });

  it('is told of as a loss at its beginning, where it was the newest one and the hint says more', () => {
    const root = fourSegments();
    const newest = ownSegments(realPorts, layoutOf(root)).at(-1)!;
    const { size } = realPorts.fs.stat(newest.path);
    const end = { seq: 20, hlc: { ms: 1, count: 0 }, chain: Buffer.alloc(32), flags: 1 };
    expect(lossBehind(realPorts, newest, end)).toMatchObject([{ repair: { offset: size } }]);
    rmSync(newest.path);
    expect(lossBehind(realPorts, newest, end)).toMatchObject([
      { repair: { kind: 'lost-durable', segment: path.basename(newest.path), offset: 0 } },
    ]);
  });
});

describe('a drop of old events that finds, with the locks held, that there are none any more', () => {
  it('changes nothing', () => {
    const root = fourSegments();
    const before = readdirSync(layoutOf(root).journal, { recursive: true });
    const { head } = verify(root);
    expect(dropEvents(realPorts, root, codecs, () => undefined)).toBeUndefined();
    expect(verify(root)).toMatchObject({ ok: true, head, events: 12 });
    expect(readdirSync(layoutOf(root).journal, { recursive: true })).toEqual(before);
  });
});

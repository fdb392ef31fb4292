import { cpSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compact } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  handClock,
  originFolder,
  readerOn,
  recorded,
  rotatedJournal,
  segmentFiles,
  writerOn,
} from '../support.ts';

/** A journal of three segments whose folder changed so long ago, its reader, and what it listed since. */
function quietJournal(since = 10_000) {
  const root = rotatedJournal(3, () => eventsOf(2));
  const clock = handClock(Date.now() + since);
  const { calls, ports } = recorded(['readdir'], { clock });
  const reader = readerOn(root, ports);
  const seqs = () => [...reader.entries()].map(({ entry }) => entry?.seq);
  return { root, clock, calls, reader, seqs };
}

const SIX = [1, 2, 3, 4, 5, 6];

/** Another segment, with one event. */
function begin(root: string): void {
  const writer = writerOn(root);
  writer.rotate(0);
  writer.append(eventsOf(1));
}

describe("the folder of a journal's segments", () => {
  it('is listed once by a reader that asks again and again, while it has not changed', () => {
    const { calls, reader, seqs } = quietJournal();
    for (let n = 0; n < 5; n += 1) expect(seqs()).toEqual(SIX);
    expect(reader.segments()).toHaveLength(3);
    expect(calls).toHaveLength(1);
  });

  it('is listed again as soon as a segment was begun, and what is appended to the newest one is seen without that', () => {
    const { root, calls, seqs } = quietJournal();
    seqs();
    appendAll(root, eventsOf(1));
    expect(seqs()).toEqual([...SIX, 7]);
    expect(calls).toHaveLength(1);
    begin(root);
    expect(seqs()).toEqual([...SIX, 7, 8]);
  });

  it('is not remembered while it changed so lately that one more change may bear the same time', () => {
    const { root, seqs } = quietJournal(0);
    const folder = originFolder(root);
    const now = new Date();
    utimesSync(folder, now, now);
    expect(seqs()).toEqual(SIX);
    begin(root);
    utimesSync(folder, now, now);
    expect(seqs()).toEqual([...SIX, 7]);
  });

  it('is listed again within a second where its time tells nothing, and when the clock was set back', () => {
    const { root, clock, seqs } = quietJournal();
    const folder = originFolder(root);
    const before = new Date(clock.time - 10_000);
    utimesSync(folder, before, before);
    seqs();
    begin(root);
    utimesSync(folder, before, before);
    clock.time += 1000;
    expect(seqs()).toEqual([...SIX, 7]);
    begin(root);
    utimesSync(folder, before, before);
    clock.time -= 20_000;
    expect(seqs()).toEqual([...SIX, 7, 8]);
  });

  it('is listed again when a segment is not where it was, whatever its time says', () => {
    const { root, clock, seqs } = quietJournal();
    const folder = originFolder(root);
    const before = new Date(clock.time - 10_000);
    utimesSync(folder, before, before);
    expect(seqs()).toEqual(SIX);
    compact(root);
    expect(segmentFiles(root)[0]).toMatch(/b10z$/);
    utimesSync(folder, before, before);
    expect(seqs()).toEqual(SIX);
  });

  it('is another one when one was put in its place, be its time the same', () => {
    const { root, clock, seqs } = quietJournal();
    const folder = originFolder(root);
    const before = new Date(clock.time - 10_000);
    utimesSync(folder, before, before);
    expect(seqs()).toEqual(SIX);
    renameSync(folder, `${root}/away`);
    cpSync(`${root}/away`, folder, { recursive: true });
    rmSync(segmentFiles(root).at(-1)!);
    utimesSync(folder, before, before);
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });
});

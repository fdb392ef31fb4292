import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { decoders, realPorts } from '../../support.ts';
import { plannedRepair, repair } from '../journals.ts';
import {
  appendAll,
  damageOf,
  durable,
  eventsOf,
  newRoot,
  originFolder,
  readAll,
  readerOn,
  rotatedJournal,
  segmentFiles,
  verify,
  withFailing,
  writerOn,
} from '../support.ts';

const OTHER = '0'.repeat(32);

/** Two segments of two events each, on disk. */
const journal = () => rotatedJournal(2, () => durable(eventsOf(2)));

describe('a folder in the place of the segment that is appended to', () => {
  it('keeps events waiting, and is set aside by a repair', () => {
    const root = journal();
    const newest = segmentFiles(root).at(-1)!;
    rmSync(newest);
    mkdirSync(newest);
    const writer = writerOn(root);
    expect(writer.append(eventsOf(1))).toMatchObject({ spooled: true });
    expect(damageOf(root)).toEqual(['segment-header 3-4']);
    expect(plannedRepair(root)).toMatchObject([{ action: 'set-aside' }]);
    const { kept, lost, after } = repair(root);
    expect(kept).toEqual([expect.stringMatching(/^0000000000000003\.b10\.whole\./)]);
    expect(lost).toMatchObject([{ firstSeq: 3, lastSeq: 4 }]);
    expect(after).toMatchObject({ ok: true, waiting: 0 });
    expect(readAll(root).seqs.slice(0, 3)).toEqual([1, 2, 5]);
  });
});

describe("a folder in the lock's place", () => {
  it('keeps events waiting until it is gone, also for a writer that is there already', () => {
    const root = journal();
    const { lock } = layoutOf(root);
    rmSync(lock);
    mkdirSync(lock);
    const writer = writerOn(root);
    expect(writer.append(eventsOf(1))).toEqual({ seqs: [], written: 1, spooled: true });
    expect(() => writer.drain()).toThrow(
      expect.objectContaining({
        code: 'JOURNAL_UNSAFE',
        next: expect.stringContaining('Move away what stands'),
      }),
    );
    expect(readerOn(root).inbox()).toHaveLength(1);
    rmdirSync(lock);
    expect(writer.append(eventsOf(1))).toMatchObject({ seqs: [6], spooled: false });
    expect(verify(root)).toMatchObject({ ok: true, events: 6, waiting: 0 });
  });

  it('lets a writer that never got it be closed', () => {
    const root = journal();
    rmSync(layoutOf(root).lock);
    mkdirSync(layoutOf(root).lock);
    expect(() => writerOn(root).close()).not.toThrow();
  });
});

describe('a lock that may not be opened', () => {
  it('keeps events waiting until it may', () => {
    const root = journal();
    const { lock } = layoutOf(root);
    const denied = withFailing('open', 'EACCES', (file) => file === lock);
    const writer = writerOn(root, {}, denied);
    expect(writer.append(eventsOf(1))).toEqual({ seqs: [], written: 1, spooled: true });
    expect(() => writer.drain()).toThrow(expect.objectContaining({ code: 'FS_PERMISSION_DENIED' }));
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, events: 6, waiting: 0 });
  });
});

describe("another origin's folder", () => {
  /** What a repair says of that folder, each once. */
  const told = (root: string) => [
    ...new Set(plannedRepair(root).map(({ action, what }) => `${action}: ${what}`)),
  ];

  it('that is a copy of the own one under another name may be removed', () => {
    const root = journal();
    const own = originFolder(root);
    const copy = path.join(path.dirname(own), OTHER);
    cpSync(own, copy, { recursive: true });
    expect(verify(root).damage.every(({ segment }) => segment.startsWith(`${OTHER}/`))).toBe(true);
    expect(told(root)).toEqual([
      `none: a copy of the folder ${path.basename(own)}, which nobody reads. Where that one is sound, remove it:\n  rm -r ${copy}`,
    ]);
    rmSync(copy, { recursive: true });
    expect(verify(root).ok).toBe(true);
  });

  it('that is the own one renamed is to be called what it was', () => {
    const root = journal();
    const own = originFolder(root);
    const renamed = path.join(path.dirname(own), OTHER);
    renameSync(own, renamed);
    const [what] = told(root);
    expect(what).toMatch(/Give it its name back:\n {2}mv /);
    expect(existsSync(own)).toBe(false);
    renameSync(renamed, own);
    expect(verify(root).ok).toBe(true);
  });

  it('of another clone is repaired there: what it misses is not recorded here', () => {
    const root = journal();
    const other = journal();
    appendAll(other, eventsOf(1));
    const theirs = originFolder(other);
    const folder = path.join(path.dirname(originFolder(root)), path.basename(theirs));
    cpSync(theirs, folder, { recursive: true });
    // A copy of this journal that went on elsewhere: nothing in it names the own origin.
    rmSync(path.join(folder, '0000000000000001.b10'));
    const { items, lost } = repair(root);
    expect(items.map(({ action }) => action)).not.toContain('record');
    expect(items[0]!.what).toMatch(/^it belongs to another clone/);
    expect(lost).toEqual([]);
    expect(verify(root).losses).toEqual([]);
  });
});

describe('a repair', () => {
  it.each(['root', 'journal'] as const)(
    'makes nothing behind a link in the place of %s',
    (name) => {
      const layout = layoutOf(newRoot());
      const victim = path.join(newRoot(), 'victim');
      mkdirSync(victim, { recursive: true });
      mkdirSync(path.dirname(layout[name]), { recursive: true });
      symlinkSync(victim, layout[name]);
      expect(() => repair(layout.root)).toThrow(
        expect.objectContaining({ code: 'JOURNAL_UNSAFE', place: { file: layout[name] } }),
      );
      expect(readdirSync(victim)).toEqual([]);
    },
  );

  it('has nothing to do where no journal was begun', () => {
    expect(repairJournal(realPorts, newRoot(), decoders)).toMatchObject({
      items: [],
      after: { ok: true },
    });
  });
});

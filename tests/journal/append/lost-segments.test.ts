import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SEGMENT_FLAG } from '../../../src/journal/format/format.ts';
import { ensureLayout, layoutOf } from '../../../src/journal/format/layout.ts';
import {
  ensureManifest,
  readManifest,
  writeManifest,
} from '../../../src/journal/format/manifest.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { otherOrigins } from '../../../src/journal/read/origins.ts';
import { segmentSummaryOf } from '../../../src/journal/read/segment-summary.ts';
import { realPorts } from '../../support.ts';
import { compact, plannedRepair, repair } from '../journals.ts';
import {
  appendAll,
  damageOf,
  durable,
  eventsOf,
  journalOf,
  newRoot,
  newWriter,
  originFolder,
  readAll,
  readerOn,
  rotatedJournal,
  segmentFiles,
  toldBy,
  verify,
} from '../support.ts';

/** `sealed` segments of two events each, and an active one of as many; all are on disk, as the hint knows. */
function synced(sealed: number): string {
  const root = rotatedJournal(sealed + 1, () => durable(eventsOf(2)));
  compact(root);
  return root;
}

const removeAll = (root: string): void => {
  for (const file of segmentFiles(root)) rmSync(file);
};

const names = (root: string): string[] => segmentFiles(root).map((file) => path.basename(file));

const flagsOf = (file: string): number =>
  decodeSegmentHeader(readFileSync(file), realPorts.xxh64)!.flags;

describe('a journal that lost all of its segments', () => {
  it('goes on behind what was synced, says so, and misses the others until a repair records them', () => {
    const root = synced(1);
    removeAll(root);
    expect(damageOf(root)).toEqual(['missing 1-4']);
    expect(segmentSummaryOf(realPorts, readerOn(root)).missing).toEqual([
      { firstSeq: 1, lastSeq: 4, segment: null },
    ]);
    appendAll(root, eventsOf(2));
    expect(names(root)).toEqual(['0000000000000005.b10']);
    expect(flagsOf(segmentFiles(root)[0]!)).toBe(SEGMENT_FLAG.afterDamage);
    expect(toldBy(root)).toEqual([
      {
        seq: 5,
        type: 'journal.repaired',
        kind: 'lost-durable',
        segment: 'synced',
        offset: 0,
        bytes: 0,
      },
    ]);
    expect(readAll(root)).toMatchObject({
      seqs: [5, 6, 7],
      damage: [{ kind: 'missing', firstSeq: 1, lastSeq: 4 }],
    });
    appendAll(root, eventsOf(1));
    expect(toldBy(root)).toHaveLength(1);
    expect(damageOf(root)).toEqual(['missing 1-4']);
    expect(plannedRepair(root)).toMatchObject([
      { kind: 'missing', action: 'record', firstSeq: 1, lastSeq: 4 },
    ]);
    repair(root);
    expect(verify(root)).toMatchObject({ ok: true, losses: [{ firstSeq: 1, lastSeq: 4 }] });
  });

  it('is repaired before anybody wrote to it', () => {
    const root = synced(0);
    removeAll(root);
    const { lost, after } = repair(root);
    expect(lost).toMatchObject([{ firstSeq: 1, lastSeq: 2 }]);
    expect(after).toMatchObject({ ok: true, damage: [] });
    expect(names(root)).toEqual(['0000000000000003.b10']);
  });

  it('and its manifest goes on in the origin that the sync hint is of', () => {
    const root = synced(0);
    const { origin } = readManifest(realPorts, layoutOf(root))!;
    removeAll(root);
    rmSync(layoutOf(root).manifest);
    expect(verify(root).damage).toMatchObject([
      { segment: 'synced', kind: 'missing', firstSeq: 1, lastSeq: 2 },
    ]);
    appendAll(root, eventsOf(1));
    expect(readManifest(realPorts, layoutOf(root))).toMatchObject({ origin, isRebuilt: true });
    expect(damageOf(root)).toEqual(['missing 1-2']);
  });

  it('of which nothing was ever synced begins again', () => {
    const root = journalOf(2);
    removeAll(root);
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, firstSeq: 1, events: 1 });
  });

  it('with their folder begins in another origin, and what comes back from a backup takes nothing of that', () => {
    const root = synced(1);
    const folder = originFolder(root);
    const before = readdirSync(folder);
    renameSync(folder, `${folder}.backup`);
    const [event] = eventsOf(1);
    appendAll(root, [event!]);
    const now = originFolder(root);
    expect(now).not.toBe(folder);
    renameSync(`${folder}.backup`, folder);
    appendAll(root, eventsOf(1));
    expect(readAll(root)).toMatchObject({ seqs: [1, 2], damage: [] });
    expect(readAll(root).entries[0]!.id.equals(event!.id)).toBe(true);
    expect(readdirSync(folder)).toEqual(before);
    expect(otherOrigins(realPorts, layoutOf(root))).toEqual([path.basename(folder)]);
    expect(verify(root).ok).toBe(true);
    // As who wants the old ones back is told to do.
    rmSync(layoutOf(root).manifest);
    rmSync(now, { recursive: true });
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3, 4], damage: [] });
  });

  it('with their folder waits for the end of an erasure that names its origin', () => {
    const root = journalOf(2);
    const layout = layoutOf(root);
    const { origin } = readManifest(realPorts, layout)!;
    writeManifest(realPorts, layout, { ...readManifest(realPorts, layout)!, erasing: 2 });
    rmSync(originFolder(root), { recursive: true });
    appendAll(root, eventsOf(1));
    expect(readManifest(realPorts, layout)!.origin).toBe(origin);
  });

  it('is told by nothing from one whose maker died before the first was there: that begins in another origin, too', () => {
    const root = newRoot();
    const layout = layoutOf(root);
    ensureLayout(realPorts.fs, layout);
    const { origin } = ensureManifest(realPorts, layout);
    appendAll(root, eventsOf(2));
    appendAll(root, eventsOf(1));
    const now = readManifest(realPorts, layout)!;
    // Once.
    expect(now.origin).not.toBe(origin);
    expect(now.formerly).toBeUndefined();
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3], damage: [] });
    expect(otherOrigins(realPorts, layout)).toEqual([]);
  });
});

describe('a journal that lost what stood behind a sealed segment', () => {
  it('gives no seq of that to another event', () => {
    const root = synced(1);
    rmSync(segmentFiles(root).at(-1)!);
    expect(damageOf(root)).toEqual(['missing 3-4']);
    appendAll(root, eventsOf(1));
    expect(names(root)).toEqual(['0000000000000001.b10z', '0000000000000005.b10']);
    expect(toldBy(root)).toMatchObject([
      { seq: 5, kind: 'lost-durable', segment: '0000000000000001.b10z', bytes: 0 },
    ]);
    expect(damageOf(root)).toEqual(['missing 3-4']);
    repair(root);
    expect(verify(root).ok).toBe(true);
  });
});

describe('a copy that came without its newest segment', () => {
  /** A copy, one more append in it, and what is told of it then. */
  function continued(sealed: number, isCut: boolean) {
    const root = synced(sealed);
    const copy = newRoot();
    cpSync(root, copy, { recursive: true });
    if (!isCut) rmSync(segmentFiles(copy).at(-1)!);
    else removeAll(copy);
    appendAll(copy, eventsOf(1));
    return { root, copy };
  }

  it('goes on behind what the original had synced, says both, and misses it', () => {
    const { root, copy } = continued(1, false);
    expect(names(copy)).toEqual(['0000000000000001.b10z', '0000000000000005.b10']);
    expect(toldBy(copy)).toMatchObject([
      { seq: 5, type: 'journal.repaired', kind: 'lost-durable' },
      { seq: 6, type: 'journal.copied' },
    ]);
    expect(damageOf(copy)).toEqual(['missing 3-4']);
    expect(verify(root).ok).toBe(true);
  });

  it('also where none came along', () => {
    const { copy } = continued(1, true);
    expect(names(copy)).toEqual(['0000000000000005.b10']);
    expect(damageOf(copy)).toEqual(['missing 1-4']);
    const { journal } = layoutOf(copy);
    const { origin } = readManifest(realPorts, layoutOf(copy))!;
    expect(readdirSync(journal).filter((name) => name.length === 32)).toEqual([origin]);
  });

  it('says that it is a copy also where the segment before is one that nobody sealed', () => {
    const { root, writer } = newWriter();
    writer.append(eventsOf(2));
    writer.rotate(0);
    writer.append([{ ...eventsOf(1)[0]!, durability: 'disk' }]);
    const copy = newRoot();
    cpSync(root, copy, { recursive: true });
    rmSync(segmentFiles(copy).at(-1)!);
    appendAll(copy, eventsOf(1));
    expect(toldBy(copy)).toMatchObject([
      { seq: 4, type: 'journal.repaired', kind: 'lost-durable' },
      { seq: 5, type: 'journal.copied' },
    ]);
    expect(damageOf(copy)).toEqual(['missing 3-3']);
  });
});

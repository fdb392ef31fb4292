import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMER_ORIGINS_MAX, PLACES_MAX, settleCopy } from '../../../src/journal/append/copied.ts';
import { COPIED_TYPE } from '../../../src/journal/append/own-events.ts';
import { WINDOW_BYTES } from '../../../src/journal/append/tail.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import {
  ensureManifest,
  type Manifest,
  readManifest,
  writeManifest,
} from '../../../src/journal/format/manifest.ts';
import { realPorts, scratch } from '../../support.ts';
import { compact, plannedRepair, repair } from '../journals.ts';
import {
  appendAll,
  edit,
  eventsOf,
  journalOf,
  newRoot,
  portsWith,
  readAll,
  segmentFiles,
  toldBy,
  verify,
  withFailing,
  withNoted,
  writerOn,
} from '../support.ts';

function copyOf(root: string): string {
  const copy = newRoot();
  cpSync(root, copy, { recursive: true });
  return copy;
}

const manifestOf = (root: string): Manifest => readManifest(realPorts, layoutOf(root))!;

const change = (root: string, fields: Partial<Manifest>) =>
  writeManifest(realPorts, layoutOf(root), { ...manifestOf(root), ...fields });

/** What the journal says of being a copy. */
const told = (root: string) => toldBy(root).filter(({ type }) => type === COPIED_TYPE);

/** Its segments sealed, and the one that is appended to gone. */
function withoutActive(root: string): string {
  writerOn(root).rotate(0);
  compact(root);
  rmSync(segmentFiles(root).at(-1)!);
  return root;
}

const folders = (root: string) =>
  readdirSync(layoutOf(root).journal).filter((name) => /^[0-9a-f]{32}$/.test(name));

describe('a copied journal', () => {
  it('gets an origin of its own when it is written to, and says so', () => {
    const root = journalOf(3);
    const copy = copyOf(root);
    const before = manifestOf(root);
    expect(readAll(copy).seqs).toEqual([1, 2, 3]); // reading changes nothing
    expect(manifestOf(copy)).toEqual(before);
    appendAll(copy, eventsOf(2));
    appendAll(copy, eventsOf(1));
    const { origin, journalId, formerly, places } = manifestOf(copy);
    expect(origin).not.toBe(before.origin);
    expect({ journalId, formerly }).toEqual({
      journalId: before.journalId,
      formerly: [before.origin],
    });
    expect(places).toHaveLength(2);
    expect(folders(copy)).toEqual([origin]);
    expect(told(copy)).toEqual([{ seq: 4, type: COPIED_TYPE, from: before.origin, origin }]);
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3, 4, 5, 6, 7], damage: [] });
    expect(verify(copy)).toMatchObject({ ok: true, events: 7, damage: [] });
    appendAll(root, eventsOf(1));
    expect(manifestOf(root)).toEqual(before);
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3, 4], damage: [] });
    expect(verify(root).ok).toBe(true);
  });

  it('appends to a segment of its own: the others stay byte for byte what they were', () => {
    const root = journalOf(3);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    const [theirs] = segmentFiles(root);
    const [shared, own] = segmentFiles(copy);
    edit(shared!, (bytes) => {
      edit(theirs!, (original) => {
        expect(bytes.equals(original)).toBe(true);
        return original;
      });
      return bytes;
    });
    expect(path.basename(own!)).toBe('0000000000000004.b10');
  });

  it('reads no more at each later opening than the end of its segment, however long that is', () => {
    const copy = copyOf(journalOf(3));
    appendAll(copy, eventsOf(40, 10_000));
    let most = 0;
    const ports = withNoted('read', (_, into) => {
      most = Math.max(most, into.length);
    });
    appendAll(copy, eventsOf(1), {}, ports);
    expect(most).toBeLessThanOrEqual(WINDOW_BYTES);
    expect(readAll(copy)).toMatchObject({ damage: [] });
  });

  it('may be put beside the original: each is verified, its own is read', () => {
    const root = journalOf(3);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(2));
    const [name] = folders(copy);
    cpSync(path.join(layoutOf(copy).journal, name!), path.join(layoutOf(root).journal, name!), {
      recursive: true,
    });
    expect(verify(root)).toMatchObject({ ok: true, events: 9, damage: [] });
    expect(readAll(root).seqs).toEqual([1, 2, 3]);
  });

  it('is verified with what a compaction left in it, where it is put beside the original', () => {
    const root = journalOf(3);
    writerOn(root).rotate(0);
    const [raw] = segmentFiles(root);
    const bytes = readFileSync(raw!);
    compact(root);
    writeFileSync(raw!, bytes);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    const { origin } = manifestOf(copy);
    cpSync(path.join(layoutOf(copy).journal, origin), path.join(layoutOf(root).journal, origin), {
      recursive: true,
    });
    const name = path.basename(raw!);
    const { ok, leftovers } = verify(root);
    expect(ok).toBe(true);
    expect(leftovers.sort()).toEqual([name, `${origin}/${name}`]);
  });

  it('of a copy keeps the names of all that it came from', () => {
    const root = journalOf(2);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    const second = copyOf(copy);
    appendAll(second, eventsOf(1));
    expect(manifestOf(second).formerly).toEqual([manifestOf(root).origin, manifestOf(copy).origin]);
    expect(told(second).map(({ seq }) => seq)).toEqual([3, 5]);
    expect(verify(second)).toMatchObject({ ok: true, events: 6 });
  });

  it('is noticed when its newest segment is empty, sealed away or torn', () => {
    const root = journalOf(2);
    writerOn(root).rotate(0);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3, 4], damage: [] });
    expect(told(copy)).toHaveLength(1);

    const torn = copyOf(journalOf(3));
    edit(segmentFiles(torn)[0]!, (bytes) => bytes.subarray(0, bytes.length - 9));
    appendAll(torn, eventsOf(1));
    expect(told(torn)).toHaveLength(1);
    expect(verify(torn).ok).toBe(true);
  });

  it('is noticed when its newest segment is a sealed one, and can be read', () => {
    const copy = copyOf(withoutActive(journalOf(2)));
    const { origin: from } = manifestOf(copy);
    appendAll(copy, eventsOf(1));
    const first = { seq: 3, type: COPIED_TYPE, from, origin: manifestOf(copy).origin };
    expect(told(copy)).toEqual([first]);
    // Sealed again, but with its own name in it; then so that nobody can say whose it is.
    appendAll(withoutActive(copy), eventsOf(1));
    expect(told(copy)).toEqual([first]);
    withoutActive(copy);
    edit(segmentFiles(copy).at(-1)!, (bytes) => void bytes.fill(0, 0, 64));
    appendAll(copy, eventsOf(1));
    expect(told(copy)).toEqual([first]);
  });

  it('is one without any segment, too', () => {
    const root = newRoot();
    mkdirSync(layoutOf(root).journal, { recursive: true });
    const { origin: from } = ensureManifest(realPorts, layoutOf(root));
    const copy = copyOf(root);
    settleCopy(realPorts, layoutOf(copy), manifestOf(copy));
    expect(manifestOf(copy).formerly).toEqual([from]);
    expect(readAll(copy).seqs).toEqual([]);
    appendAll(copy, eventsOf(1));
    expect(folders(copy)).toEqual([manifestOf(copy).origin]);
    expect(readAll(copy)).toMatchObject({ seqs: [1], damage: [] });
    expect(verify(copy)).toMatchObject({ ok: true, events: 1 });
  });

  it('goes on without its manifest', () => {
    const root = journalOf(3);
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    const { origin, formerly } = manifestOf(copy);
    rmSync(layoutOf(copy).manifest);
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3, 4, 5], damage: [] });
    expect(verify(copy).damage).toMatchObject([{ kind: 'manifest' }]);
    appendAll(copy, eventsOf(1));
    expect(manifestOf(copy)).toMatchObject({ origin, formerly, isRebuilt: true });
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3, 4, 5, 6, 7], damage: [] });
  });

  it.each([0, 1])(
    'is known by its headers without its manifest where segments bear each other’s names, after %d appends',
    (count) => {
      const copy = copyOf(journalOf(3));
      appendAll(copy, eventsOf(3));
      const { origin, formerly } = manifestOf(copy);
      const [first, second] = segmentFiles(copy) as [string, string];
      const seqs = readAll(copy).seqs;
      renameSync(first, `${first}.aside`);
      renameSync(second, first);
      renameSync(`${first}.aside`, second);
      rmSync(layoutOf(copy).manifest);
      appendAll(copy, eventsOf(count));
      const told = plannedRepair(copy).map(({ action }) => action);
      // The append has made the manifest anew.
      expect(told).toEqual([...(count === 0 ? ['rebuild'] : []), 'set-aside', 'set-aside']);
      const { items, kept, after } = repair(copy);
      expect(items.map(({ action }) => action)).toEqual(told);
      expect(after.damage).toEqual([]);
      // As the commands that the repair prints do it.
      const whole = kept.filter((name) => name.includes('.whole.')).sort();
      for (const [name, place] of [
        [whole[0]!, second],
        [whole[1]!, first],
      ] as const)
        renameSync(path.join(layoutOf(copy).quarantine, name), place);
      expect(manifestOf(copy)).toMatchObject({ origin, formerly, isRebuilt: true });
      expect(readAll(copy).seqs).toEqual(expect.arrayContaining(seqs));
    },
  );

  it('is read and finished when its first writer died before the folder had its new name', () => {
    const root = journalOf(3);
    const copy = copyOf(root);
    const before = manifestOf(copy);
    const ports = withFailing(
      'rename',
      new Error('died'),
      (from) => path.basename(from) === before.origin,
    );
    expect(() => settleCopy(ports, layoutOf(copy), before)).toThrow('died');
    expect(folders(copy)).toEqual([before.origin]);
    expect(manifestOf(copy).origin).not.toBe(before.origin);
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3], damage: [] });
    expect(verify(copy)).toMatchObject({ ok: true, events: 3 });
    appendAll(copy, eventsOf(1));
    expect(folders(copy)).toEqual([manifestOf(copy).origin]);
    expect(told(copy)).toHaveLength(1);
    expect(readAll(copy)).toMatchObject({ seqs: [1, 2, 3, 4, 5], damage: [] });
  });

  it('whose original was in the middle of an erasure finishes it under the old name first', () => {
    const root = journalOf(2);
    change(root, { erasing: 3 });
    const copy = copyOf(root);
    appendAll(copy, eventsOf(1));
    expect(manifestOf(copy).origin).toBe(manifestOf(root).origin);
  });

  it('keeps its last origin when it had very many', () => {
    for (const [count, isNew] of [
      [FORMER_ORIGINS_MAX - 1, true],
      [FORMER_ORIGINS_MAX, false],
    ] as const) {
      const root = journalOf(1);
      const { origin } = manifestOf(root);
      const names = Array.from({ length: count }, (_, n) => n.toString(16).padStart(32, '0'));
      change(root, { formerly: names });
      const copy = copyOf(root);
      appendAll(copy, eventsOf(1));
      expect(manifestOf(copy).origin !== origin, String(count)).toBe(isNew);
    }
  });
});

describe('a journal that is the same', () => {
  it('was moved', () => {
    const root = journalOf(2);
    const moved = path.join(scratch(), 'elsewhere', '.ben10');
    mkdirSync(path.dirname(moved));
    renameSync(root, moved);
    const before = manifestOf(moved);
    appendAll(moved, eventsOf(1));
    expect(manifestOf(moved)).toEqual(before);
    expect(readAll(moved).seqs).toEqual([1, 2, 3]);
  });

  it('was written before anybody noted its folder', () => {
    const root = journalOf(2);
    const { places: _, ...old } = manifestOf(root);
    writeManifest(realPorts, layoutOf(root), old);
    appendAll(root, eventsOf(1));
    expect(manifestOf(root)).toMatchObject({ origin: old.origin });
    expect(manifestOf(root).places).toHaveLength(1);
    expect(existsSync(segmentFiles(root)[1] ?? 'none')).toBe(false);
  });

  /** The journal's folder as another file system would show it. */
  const shown = (root: string, ino: number, bornMs: number | undefined) =>
    portsWith({
      stat: (file) => {
        const stat = realPorts.fs.stat(file);
        if (file !== layoutOf(root).journal) return stat;
        const { bornMs: _, ...rest } = stat;
        return { ...rest, ino, ...(bornMs !== undefined && { bornMs }) };
      },
    });
  const settled = (root: string, ino: number, bornMs: number | undefined) =>
    settleCopy(shown(root, ino, bornMs), layoutOf(root), manifestOf(root)).origin;

  it('is on a file system that numbers its folders anew, or does not know when they were made', () => {
    const root = journalOf(1);
    const { origin, places } = manifestOf(root);
    const [ino, bornMs] = places![0]!;
    expect(bornMs).toBeGreaterThan(0);
    expect(settled(root, ino + 1, bornMs)).toBe(origin);
    expect(settled(root, ino, undefined)).toBe(origin);
    expect(settled(root, ino, bornMs + 1)).not.toBe(origin); // the number of a removed folder, given again
  });

  it('is seen from a container and from its host in turn', () => {
    const root = journalOf(1);
    const [ino] = manifestOf(root).places![0]!;
    const inside = settled(root, ino + 1, undefined);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(settled(root, ino, undefined)).toBe(inside);
      expect(settled(root, ino + 1, undefined)).toBe(inside);
    }
  });

  it('remembers only so many folders', () => {
    const root = journalOf(1);
    for (let n = 1; n <= PLACES_MAX + 1; n += 1) settled(root, n, undefined);
    expect(manifestOf(root).places).toEqual(
      Array.from({ length: PLACES_MAX }, (_, n) => [n + 2, 0]),
    );
  });
});

describe('the manifest from before a journal was copied, put back by a backup or another machine', () => {
  function withEarlierManifest(): { root: string; copied: Manifest } {
    const root = copyOf(journalOf(3));
    const { manifest } = layoutOf(root);
    const earlier = readFileSync(manifest);
    appendAll(root, eventsOf(1));
    const copied = manifestOf(root);
    writeFileSync(manifest, earlier);
    return { root, copied };
  }

  it('is told of by verify, and a repair reads all events again', () => {
    const { root, copied } = withEarlierManifest();
    expect(readAll(root).entries).toEqual([]);
    expect(verify(root)).toMatchObject({
      ok: false,
      isManifestOfAnother: true,
      damage: [{ segment: 'manifest', kind: 'manifest', firstSeq: null }],
    });
    expect(plannedRepair(root)).toMatchObject([{ action: 'rebuild' }]);
    const { kept, lost, after } = repair(root);
    expect({ kept: kept.length, lost, ok: after.ok }).toEqual({ kept: 1, lost: [], ok: true });
    expect(readAll(root).entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const { origin, formerly } = copied;
    expect(manifestOf(root)).toMatchObject({ origin, formerly, isRebuilt: true });
  });

  it('is put right by the next append, which goes on behind what is there', () => {
    const { root } = withEarlierManifest();
    appendAll(root, eventsOf(1));
    expect(verify(root)).toMatchObject({ ok: true, firstSeq: 1, lastSeq: 7 });
  });
});

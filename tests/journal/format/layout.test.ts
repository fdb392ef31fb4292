import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { furthestOrigin, hintPath } from '../../../src/journal/format/hint.ts';
import {
  ensureLayout,
  layoutOf,
  listOrigin,
  listOrigins,
  listSegments,
  refuseUnsafe,
  segmentName,
  segmentPath,
} from '../../../src/journal/format/layout.ts';
import { homeOf, ownSegments } from '../../../src/journal/read/origins.ts';
import { nodeFs } from '../../../src/platform/fs.ts';
import { writeHint } from '../../hints.ts';
import { codeOf, realPorts, scratch } from '../../support.ts';
import {
  appendAll,
  eventsOf,
  journalOf,
  newRoot,
  originFolder,
  readerOn,
  verify,
} from '../support.ts';

const A = 'a'.repeat(32);
const B = 'b'.repeat(32);
const C = 'c'.repeat(32);

/** A journal folder with empty files of these names. */
function journalWith(files: string[]) {
  const layout = layoutOf(newRoot());
  for (const file of files) {
    const target = path.join(layout.journal, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, '');
  }
  return layout;
}

describe('a listing of segments', () => {
  it('is in order of first seq, over all origins', () => {
    const layout = journalWith([
      `${A}/0000000000000010.b10`,
      `${A}/0000000000000001.b10z`,
      `${B}/0000000000000005.b10`,
    ]);
    const list = listSegments(nodeFs, layout);
    expect(list.map((file) => [file.firstSeq, file.sealed, file.origin])).toEqual([
      [1, true, A],
      [5, false, B],
      [10, false, A],
    ]);
    expect(list.map(segmentName)).toEqual([
      '0000000000000001.b10z',
      '0000000000000005.b10',
      '0000000000000010.b10',
    ]);
    expect(list[0]!.path).toBe(segmentPath(layout, A, 1, true));
  });

  it('takes the sealed form where a crash left both', () => {
    const layout = journalWith([`${A}/0000000000000001.b10`, `${A}/0000000000000001.b10z`]);
    const names = ['0000000000000001.b10', '0000000000000001.b10z'];
    for (const order of [names, names.toReversed()]) {
      const ordered = { ...nodeFs, readdir: () => order };
      expect(listOrigin(ordered, layout, A)).toMatchObject([{ firstSeq: 1, sealed: true }]);
    }
  });

  it('passes by whatever has another name', () => {
    const names = [
      '1.b10',
      '0000000000000001.b10.abc.tmp',
      '0000000000000001.b11',
      'synced',
      '00000000000000001.b10',
    ];
    const layout = journalWith([
      ...names.map((name) => `${A}/${name}`),
      'A/0000000000000001.b10',
      `${A.toUpperCase()}/0000000000000001.b10`,
    ]);
    expect(listSegments(nodeFs, layout)).toEqual([]);
    expect(listOrigins(nodeFs, layout)).toEqual([A]);
  });

  it('is empty without a folder, and with a file in the place of an origin', () => {
    expect(listSegments(nodeFs, layoutOf(newRoot()))).toEqual([]);
    expect(listSegments(nodeFs, journalWith([A]))).toEqual([]);
  });
});

describe('the own origin', () => {
  it('is that of the manifest, however far another one reaches', () => {
    const root = journalOf(2);
    const layout = layoutOf(root);
    const own = path.basename(originFolder(root));
    const other = path.join(layout.journal, B);
    mkdirSync(other);
    writeFileSync(path.join(other, '0000000000000999.b10'), '');
    expect(homeOf(realPorts, layout)?.origin).toBe(own);
    expect(ownSegments(realPorts, layout).map((file) => file.origin)).toEqual([own]);
  });

  it('is the one that reached furthest when there is no manifest', () => {
    const layout = journalWith([`${A}/0000000000000001.b10`, `${B}/0000000000000005.b10`]);
    expect(furthestOrigin(realPorts, layout)).toBe(B);
    expect(homeOf(realPorts, layout)).toEqual({ origin: B, journalId: undefined, origins: [B] });
  });

  it('is the one that was synced furthest when there is neither a manifest nor a segment', () => {
    const layout = journalWith([`${A}/synced`, `${B}/synced`, `${C}/synced`]);
    expect(furthestOrigin(realPorts, layout)).toBeUndefined();
    writeHint(realPorts, hintPath(layout, A), { syncedUpto: 7, syncedAt: 0 });
    writeHint(realPorts, hintPath(layout, B), { syncedUpto: 9, syncedAt: 0 });
    expect(homeOf(realPorts, layout)?.origin).toBe(B);
  });

  it('is nowhere without a journal', () => {
    const layout = layoutOf(newRoot());
    expect(homeOf(realPorts, layout)).toBeUndefined();
    expect(ownSegments(realPorts, layout)).toEqual([]);
  });
});

describe('a folder that others could have filled', () => {
  const me = process.geteuid?.() ?? 0;
  it.skipIf(process.platform === 'win32').each([
    ['ours alone', { uid: me, mode: 0o40700 }, undefined],
    ['ours, and our group’s', { uid: me, mode: 0o40770 }, undefined],
    ['ours, and everybody’s', { uid: me, mode: 0o40702 }, /every user/],
    ['sticky, and everybody’s', { uid: me, mode: 0o41777 }, /every user/],
    ['root’s', { uid: 0, mode: 0o40755 }, undefined],
    ['somebody else’s', { uid: me + 1, mode: 0o40700 }, /another user/],
    ['on a file system without owners', { mode: 0o40777 }, undefined],
  ])('is refused, and no other: %s', (_, stat, why) => {
    const layout = journalWith([]);
    mkdirSync(layout.journal, { recursive: true });
    const fs = {
      ...nodeFs,
      statIfThere: (file: string) => {
        const { uid: _uid, ...found } = nodeFs.statIfThere(file)!;
        return { ...found, ...stat };
      },
    };
    const refuse = () => refuseUnsafe(fs, layout.journal);
    if (why === undefined) expect(refuse()).toMatchObject({ isDirectory: true });
    else
      expect(refuse).toThrow(
        expect.objectContaining({
          code: 'JOURNAL_UNSAFE',
          message: expect.stringMatching(why),
          place: { file: layout.journal },
          next: expect.any(String),
        }),
      );
  });
});

describe('the folders of a writer', () => {
  it('are made in a project that is there, and nowhere else', () => {
    const layout = layoutOf(path.join(scratch(), 'no/project/.ben10'));
    expect(codeOf(() => ensureLayout(nodeFs, layout))).toBe('JOURNAL_UNSAFE');
    expect(nodeFs.statIfThere(path.dirname(layout.root))).toBeUndefined();
  });

  it('are made for the owner only', () => {
    const layout = layoutOf(newRoot());
    ensureLayout(nodeFs, layout);
    for (const dir of [layout.root, layout.journal, layout.inbox])
      expect(lstatSync(dir).mode & 0o777, dir).toBe(0o700);
  });

  it.each(['root', 'journal', 'inbox'] as const)(
    'are refused where %s is a link, and nothing is written behind it',
    (name) => {
      const layout = layoutOf(newRoot());
      const victim = scratch();
      mkdirSync(path.dirname(layout[name]), { recursive: true });
      symlinkSync(victim, layout[name]);
      expect(() => ensureLayout(nodeFs, layout)).toThrow(
        expect.objectContaining({ code: 'JOURNAL_UNSAFE', place: { file: layout[name] } }),
      );
      expect(existsSync(path.join(victim, 'journal'))).toBe(false);
      expect(existsSync(path.join(victim, 'inbox'))).toBe(false);
    },
  );

  it.each(['root', 'journal', 'inbox'] as const)(
    'are not read either where %s is a link',
    (name) => {
      const layout = layoutOf(newRoot());
      appendAll(layout.root, eventsOf(2));
      const elsewhere = path.join(scratch(), 'elsewhere');
      renameSync(layout[name], elsewhere);
      symlinkSync(elsewhere, layout[name]);
      const reader = readerOn(layout.root);
      const refused = expect.objectContaining({
        code: 'JOURNAL_UNSAFE',
        place: { file: layout[name] },
      });
      expect(() => [...reader.entries()]).toThrow(refused);
      expect(() => reader.inbox()).toThrow(refused);
      expect(() => verify(layout.root)).toThrow(refused);
    },
  );

  it('are refused where a file stands in their place, which stays as it is', () => {
    const layout = layoutOf(newRoot());
    writeFileSync(layout.root, 'mine');
    expect(() => ensureLayout(nodeFs, layout)).toThrow(/not a folder/);
    expect(readFileSync(layout.root, 'utf8')).toBe('mine');
  });

  it('are no matter when they are not there yet', () => {
    expect(() => refuseUnsafe(nodeFs, path.join(scratch(), 'none'))).not.toThrow();
  });
});

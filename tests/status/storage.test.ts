import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFs } from '../../src/platform/fs.ts';
import { ENTRIES_MAX, folderSize } from '../../src/status/storage.ts';
import { scratch } from '../support.ts';

describe('folderSize', () => {
  test('adds up the files of a folder and of those in it, and knows the newest', () => {
    const dir = scratch();
    mkdirSync(path.join(dir, 'a/b'), { recursive: true });
    writeFileSync(path.join(dir, 'one'), 'x'.repeat(10));
    writeFileSync(path.join(dir, 'a/b/two'), 'x'.repeat(5));
    utimesSync(path.join(dir, 'one'), 100, 100);
    utimesSync(path.join(dir, 'a/b/two'), 200, 200);
    expect(folderSize(nodeFs, dir)).toEqual({ bytes: 15, files: 2, newest: 200_000 });
    expect(folderSize(nodeFs, path.join(dir, 'one'))).toMatchObject({ bytes: 10, files: 1 });
  });

  test('knows when the newest was written in whole milliseconds', () => {
    const dir = scratch();
    writeFileSync(path.join(dir, 'one'), 'x');
    utimesSync(path.join(dir, 'one'), 100, 100.1239);
    expect(folderSize(nodeFs, dir).newest).toBe(100_123);
  });

  test('a folder that is not there has nothing', () => {
    expect(folderSize(nodeFs, path.join(scratch(), 'none'))).toEqual({
      bytes: 0,
      files: 0,
      newest: null,
    });
  });

  test('links are not followed: not to a large folder, and not round in a circle', () => {
    const dir = scratch();
    symlinkSync('/usr', path.join(dir, 'elsewhere'));
    symlinkSync(dir, path.join(dir, 'itself'));
    expect(folderSize(nodeFs, dir).files).toBe(2);
    expect(folderSize(nodeFs, dir).bytes).toBeLessThan(1000);
  });

  test('what is not ours to look at is not counted', () => {
    const dir = scratch();
    for (const name of ['open', 'closed', 'secret']) mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, 'open/file'), 'xyz');
    const refuse = () => {
      throw Object.assign(new Error('no'), { code: 'EACCES' });
    };
    const fs = {
      ...nodeFs,
      readdir: (of: string) => (of.endsWith('closed') ? refuse() : nodeFs.readdir(of)),
      statIfThere: (of: string) => (of.endsWith('secret') ? refuse() : nodeFs.stat(of)),
    };
    expect(folderSize(fs, dir)).toMatchObject({ bytes: 3, files: 1 });
  });

  test('it looks at 200,000 entries and no more', () => {
    const dir = scratch();
    const stat = nodeFs.stat(dir);
    const crowded = (files: number) => ({
      ...nodeFs,
      readdir: () => Array.from({ length: files }, (_, n) => `${n}`),
      statIfThere: (of: string) =>
        of === dir ? stat : { ...stat, isDirectory: false, isFile: true, size: 1 },
    });
    // The folder itself is an entry, too.
    expect(folderSize(crowded(ENTRIES_MAX - 1), dir).bytes).toBe(ENTRIES_MAX - 1);
    expect(folderSize(crowded(ENTRIES_MAX + 5), dir).bytes).toBe(ENTRIES_MAX - 1);
  });
});

import * as fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  prepareStorage,
  storageFinder,
  storageIn,
  storageRoot,
} from '../../src/platform/storage.ts';
import {
  isStorageLocation,
  STORAGE_LOCATION_CHARS_MAX,
} from '../../src/platform/storage-location.ts';
import { codeOf, scratch } from '../support.ts';

let dir: string;
beforeEach(() => {
  dir = scratch();
  fs.mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
});

const compiled = (storageLocation: unknown) =>
  fs.writeFileSync(
    path.join(dir, '.ben10/hook-config.json'),
    JSON.stringify({ format: 1, config: { context: { storageLocation } } }),
  );

describe('a place for the journal', () => {
  it('is a folder inside the project, named in the same way on every system', () => {
    for (const good of ['.ben10', 'data', '.cache/ben10', 'a b/c', '.ben10/data', '…']) {
      expect(isStorageLocation(good), good).toBe(true);
    }
    const bad = [
      '',
      '.',
      '..',
      '/',
      '/tmp',
      'a/',
      '/a',
      'a//b',
      'a/../b',
      './a',
      'a\\b',
      'C:',
      'a:b',
    ];
    const others = [
      'a*',
      'a?',
      'a\nb',
      '\x1b[2J',
      'a.',
      'a ',
      '.git',
      '.git/x',
      '.GIT/x',
      'node_modules/x',
    ];
    for (const one of [...bad, ...others, 'x/.ben10', 'x/.Ben10/y', 1, null, ['a']]) {
      expect(isStorageLocation(one), String(one)).toBe(false);
    }
  });

  it('has up to 200 characters', () => {
    expect(isStorageLocation('a'.repeat(STORAGE_LOCATION_CHARS_MAX))).toBe(true);
    expect(isStorageLocation('a'.repeat(STORAGE_LOCATION_CHARS_MAX + 1))).toBe(false);
  });
});

describe('where the journal is', () => {
  it('is what was compiled, or what the variable says, or .ben10', () => {
    expect(storageRoot(dir, {})).toBe(`${dir}/.ben10`);
    compiled('data/ben10');
    expect(storageRoot(dir, {})).toBe(`${dir}/data/ben10`);
    expect(storageRoot(dir, { BEN10_CONTEXT_STORAGE_LOCATION: 'other' })).toBe(`${dir}/other`);
    expect(storageRoot(dir, { BEN10_CONTEXT_STORAGE_LOCATION: '' })).toBe(`${dir}/data/ben10`);
  });

  it('is never outside of the project, whatever file and variable say', () => {
    for (const bad of ['../out', '/etc', 'a/../../b', 1, null]) {
      compiled(bad);
      expect(storageRoot(dir, {})).toBe(`${dir}/.ben10`);
      const env = { BEN10_CONTEXT_STORAGE_LOCATION: String(bad) };
      if (typeof bad === 'string') expect(storageRoot(dir, env)).toBe(`${dir}/.ben10`);
    }
  });

  it('is not behind a link', () => {
    fs.symlinkSync(scratch(), path.join(dir, 'link'));
    expect(codeOf(() => storageIn(dir, 'link/ben10'))).toBe('JOURNAL_UNSAFE');
    fs.mkdirSync(path.join(dir, 'real'));
    fs.symlinkSync(scratch(), path.join(dir, 'real/link'));
    expect(codeOf(() => storageIn(dir, 'real/link/a/b'))).toBe('JOURNAL_UNSAFE');
    expect(storageIn(dir, 'real/a/b')).toBe(`${dir}/real/a/b`);
  });

  it('is asked for anew by who stays, once the settings are compiled anew', () => {
    const find = storageFinder(dir, {});
    expect(find()).toBe(`${dir}/.ben10`);
    compiled('data');
    expect(find()).toBe(`${dir}/data`);
    fs.rmSync(path.join(dir, '.ben10/hook-config.json'));
    expect(find()).toBe(`${dir}/.ben10`);
  });
});

describe('a folder for the journal', () => {
  it('is for its owner only, and out of git', () => {
    prepareStorage(dir, 'a/b');
    expect(fs.readFileSync(path.join(dir, 'a/b/.gitignore'), 'utf8')).toBe('*\n');
    if (process.platform !== 'win32') {
      expect(fs.statSync(path.join(dir, 'a/b')).mode & 0o777).toBe(0o700);
      expect(fs.statSync(path.join(dir, 'a/b/.gitignore')).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps what is in it, and nothing is made for .ben10', () => {
    fs.mkdirSync(path.join(dir, 'a'));
    fs.writeFileSync(path.join(dir, 'a/.gitignore'), 'mine');
    prepareStorage(dir, 'a');
    expect(fs.readFileSync(path.join(dir, 'a/.gitignore'), 'utf8')).toBe('mine');
    prepareStorage(dir, '.ben10');
    expect(fs.readdirSync(path.join(dir, '.ben10'))).toEqual([]);
  });
});

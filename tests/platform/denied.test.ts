import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { nextWhenDenied } from '../../src/platform/denied.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { scratch, withoutRoot } from '../support.ts';

const NOBODY = 65_534;

/** A folder with a file in it, both of who asks. */
function owned() {
  const above = scratch();
  chmodSync(above, 0o755);
  const folder = path.join(above, 'a folder');
  const file = path.join(folder, 'file');
  mkdirSync(folder);
  writeFileSync(file, 'x');
  if (process.getuid?.() === 0) for (const one of [folder, file]) chownSync(one, NOBODY, NOBODY);
  return { folder, file, next: (of = file) => withoutRoot(() => nextWhenDenied(nodeFs, of)) };
}

const isPosix = process.platform !== 'win32';

it.runIf(isPosix)('the owner of a file that was denied is led to its mode, and to no sudo', () => {
  const { folder, file, next } = owned();
  chmodSync(file, 0);
  expect(next()).toBe(`Run: chmod u+rw '${file}'`);
  chmodSync(file, 0o600);
  chmodSync(folder, 0o500);
  expect(next()).toBe(`Run: chmod u+rwx '${folder}'`);
  expect(next(path.join(folder, 'to be made'))).toBe(`Run: chmod u+rwx '${folder}'`);
  chmodSync(folder, 0);
  expect(next()).toBe(`Run: chmod u+rwx '${folder}'`);
});

it.runIf(process.getuid?.() === 0)('who does not own it is led to its owner', () => {
  const { folder, file, next } = owned();
  chownSync(file, 0, 0);
  expect(next()).toContain('sudo chown');
  chownSync(file, NOBODY, NOBODY);
  chownSync(folder, 0, 0);
  chmodSync(folder, 0o700);
  expect(next()).toContain('sudo chown');
});

it.runIf(isPosix)('where owner and mode allow it, neither is blamed', () => {
  const { folder, file, next } = owned();
  for (const one of [file, folder]) expect(next(one)).toMatch(/^Its owner and mode allow/);
});

it('where nothing can be looked at, or there are no owners, nobody is sent for anything', () => {
  const nothing = () => {
    throw Object.assign(new Error('no'), { code: 'EACCES' });
  };
  const blind = { ...nodeFs, statIfThere: nothing };
  expect(nextWhenDenied(blind, '/a/b')).toMatch(isPosix ? /^Its owner/ : /^Give yourself/);
  const wrong = () => {
    throw new RangeError('a mistake');
  };
  if (isPosix)
    expect(() => nextWhenDenied({ ...nodeFs, statIfThere: wrong }, '/a')).toThrow('a mistake');
  const { geteuid } = process;
  Object.assign(process, { geteuid: undefined });
  try {
    expect(nextWhenDenied(nodeFs, '/a/b')).toMatch(/^Give yourself permission/);
  } finally {
    Object.assign(process, { geteuid });
  }
});

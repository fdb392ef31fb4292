import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadFileLock } from '../../src/platform/lock.ts';
import { ADDONS, scratch } from '../support.ts';

const lock = loadFileLock(ADDONS);

function opened(file: string): number {
  const fd = openSync(file, 'a+');
  onTestFinished(() => closeSync(fd));
  return fd;
}

describe('the kernel lock', () => {
  it('belongs to one open file at a time, and is freed by unlocking or closing it', () => {
    const file = path.join(scratch(), 'lock');
    const [one, two] = [opened(file), opened(file)];
    expect([lock.tryLock(one), lock.tryLock(two)]).toEqual([true, false]);
    // Windows counts who has it already as somebody else.
    expect(lock.tryLock(one)).toBe(process.platform !== 'win32');
    lock.unlock(one);
    expect(lock.tryLock(two)).toBe(true);
    lock.unlock(two);
    const three = openSync(file, 'a+');
    expect(lock.tryLock(three)).toBe(true);
    closeSync(three);
    expect(lock.tryLock(one)).toBe(true);
  });

  it('does not take an error for somebody else’s lock', () => {
    const fd = openSync(path.join(scratch(), 'lock'), 'a+');
    closeSync(fd);
    expect(() => lock.tryLock(fd)).toThrow();
  });

  it('is loaded by a path that has the system’s own separators alone', () => {
    // What it cannot load it names.
    expect(() => loadFileLock('C:\\ben10\\dist/addons', path.win32.join)).toThrow(
      /C:\\ben10\\dist\\addons\\[\w-]+\\fs-native-extensions\.node/,
    );
  });

  it('cannot be loaded where there is no addon', () => {
    expect(() => loadFileLock(scratch())).toThrow();
  });
});

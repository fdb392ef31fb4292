import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeFs } from '../../src/platform/fs.ts';
import { scratch } from '../support.ts';

const POSIX = process.platform !== 'win32';

/** Inodes that the kernel was told to sync. */
function watched(): Set<number> {
  const { fsyncSync, fdatasyncSync } = fs;
  const synced = new Set<number>();
  const noting = (sync: (fd: number) => void) => (fd: number) => {
    sync(fd);
    synced.add(fs.fstatSync(fd).ino);
  };
  Object.assign(fs, { fsyncSync: noting(fsyncSync), fdatasyncSync: noting(fdatasyncSync) });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { fsyncSync, fdatasyncSync });
    syncBuiltinESMExports();
  });
  return synced;
}

describe('the real file system', () => {
  it('syncs a file when it is told to', () => {
    const synced = watched();
    const file = path.join(scratch(), 'file');
    const fd = nodeFs.open(file, 'wx');
    nodeFs.datasync(fd);
    nodeFs.close(fd);
    expect(synced).toEqual(new Set([fs.statSync(file).ino]));
  });

  it.runIf(POSIX)('syncs a folder when it is told to', () => {
    const synced = watched();
    const dir = scratch();
    nodeFs.syncDir(dir);
    expect(synced).toEqual(new Set([fs.statSync(dir).ino]));
  });
});

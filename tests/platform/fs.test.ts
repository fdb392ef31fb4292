import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import {
  ensureDir,
  ensureDurableDir,
  readdirIfThere,
  readFile,
  removeIfThere,
  statIfThere,
  writeAll,
  writeFileAtomic,
} from '../../src/platform/files.ts';
import { DIR_MODE, FILE_MODE, type FileSystem, insist, nodeFs } from '../../src/platform/fs.ts';
import { scratch, socketAt } from '../support.ts';

/** Windows has no modes, no flag that keeps links from being followed, and no files that are pipes or sockets. */
const POSIX = process.platform !== 'win32';

const systemError = (code: string) => Object.assign(new Error(code), { code });
const failing = (call: keyof FileSystem, code: string): FileSystem => ({
  ...nodeFs,
  [call]: () => {
    throw systemError(code);
  },
});

describe('a file that is published whole', () => {
  const write = (fsys: FileSystem, path: string) =>
    writeFileAtomic(fsys, path, Buffer.from('all'), 'u', { durable: true });

  it('is written once more when its temporary file was taken for a dead one’s meanwhile', () => {
    const dir = scratch();
    let removed = 0;
    const fsys: FileSystem = {
      ...nodeFs,
      rename: (from, to) => {
        if (removed === 0) fs.rmSync(from);
        removed += 1;
        nodeFs.rename(from, to);
      },
    };
    write(fsys, `${dir}/file`);
    expect(fs.readFileSync(`${dir}/file`, 'utf8')).toBe('all');
    expect([removed, fs.readdirSync(dir)]).toEqual([2, ['file']]);
  });

  it('is an error when that happens again, or its folder is gone', () => {
    const dir = scratch();
    const rename: FileSystem['rename'] = (from, to) => {
      fs.rmSync(from);
      nodeFs.rename(from, to);
    };
    expect(() => write({ ...nodeFs, rename }, `${dir}/file`)).toThrow(/ENOENT/);
    expect(() => write(nodeFs, `${dir}/none/file`)).toThrow(/ENOENT/);
    expect(fs.readdirSync(dir)).toEqual([]);
  });
});

describe('opening', () => {
  it.runIf(POSIX)('makes files and folders for the owner only, whatever the umask', () => {
    const dir = scratch();
    const before = process.umask(0);
    try {
      ensureDir(nodeFs, `${dir}/a/b`);
      nodeFs.close(nodeFs.open(`${dir}/a/b/file`, 'wx'));
    } finally {
      process.umask(before);
    }
    expect(fs.statSync(`${dir}/a/b`).mode & 0o777).toBe(DIR_MODE);
    expect(fs.statSync(`${dir}/a/b/file`).mode & 0o777).toBe(FILE_MODE);
  });

  it.runIf(POSIX).each(['r', 'r+', 'a+'] as const)(
    'does not follow a link when it opens for %s',
    (flags) => {
      const dir = scratch();
      fs.writeFileSync(`${dir}/victim`, 'untouched');
      fs.symlinkSync(`${dir}/victim`, `${dir}/link`);
      expect(() => nodeFs.open(`${dir}/link`, flags)).toThrow(/ELOOP/);
      expect(fs.readFileSync(`${dir}/victim`, 'utf8')).toBe('untouched');
    },
  );

  it('does not create over a dangling link', () => {
    const dir = scratch();
    fs.symlinkSync(`${dir}/nowhere`, `${dir}/link`);
    expect(() => nodeFs.open(`${dir}/link`, 'wx')).toThrow(/EEXIST/);
    expect(fs.existsSync(`${dir}/nowhere`)).toBe(false);
  });
});

describe('reading', () => {
  it('reads at a position, and fewer bytes only at the end of the file', () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'abcdef');
    const fd = nodeFs.open(file, 'r');
    const into = Buffer.alloc(4);
    expect([nodeFs.read(fd, into, 1), into.toString()]).toEqual([4, 'bcde']);
    expect(nodeFs.read(fd, into, 4)).toBe(2);
    expect(nodeFs.read(fd, into, 6)).toBe(0);
    nodeFs.close(fd);
  });

  it('reads a whole file up to the limit and refuses one byte more', () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'x'.repeat(100));
    expect(readFile(nodeFs, file, 100)).toHaveLength(100);
    expect(() => readFile(nodeFs, file, 99)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  });

  it('gives what there is when the file shrinks while it is read', () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'x'.repeat(100));
    const shrinking: FileSystem = {
      ...nodeFs,
      fstat: (fd) => {
        const stat = nodeFs.fstat(fd);
        fs.truncateSync(file, 40);
        return stat;
      },
    };
    expect(readFile(shrinking, file, 1000)).toHaveLength(40);
  });

  it.each(POSIX ? ['folder', 'pipe', 'socket'] : ['folder'])(
    'refuses a %s in the place of a file, without waiting for anybody',
    async (kind) => {
      const file = path.join(scratch(), 'thing');
      if (kind === 'folder') fs.mkdirSync(file);
      else if (kind === 'pipe') execFileSync('mkfifo', [file]);
      else await socketAt(file);
      expect(() => readFile(nodeFs, file, 100)).toThrow(
        expect.objectContaining({ code: 'EISDIR' }),
      );
    },
  );
});

describe('writing', () => {
  it('calls a short write a full disk', () => {
    const short: FileSystem = { ...nodeFs, write: () => 3 };
    expect(() => writeAll(short, 1, Buffer.alloc(4), 0)).toThrow(
      expect.objectContaining({ code: 'ENOSPC' }),
    );
    expect(() => writeAll(short, 1, Buffer.alloc(3), 0)).not.toThrow();
  });

  it.each([true, false])('publishes a file whole (durable: %s)', (durable) => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'old');
    writeFileAtomic(nodeFs, file, Buffer.from('new'), 'u', { durable });
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['file']);
  });

  it('syncs bytes, name and folder in this order when it is to be durable, and nothing otherwise', () => {
    for (const durable of [true, false]) {
      const calls: string[] = [];
      const noted = (name: 'datasync' | 'rename' | 'syncDir') => ({
        [name]: (...args: never[]) => {
          calls.push(name);
          (nodeFs[name] as (...given: never[]) => void)(...args);
        },
      });
      const fsys = { ...nodeFs, ...noted('datasync'), ...noted('rename'), ...noted('syncDir') };
      writeFileAtomic(fsys, path.join(scratch(), 'f'), Buffer.from('x'), 'u', { durable });
      expect(calls).toEqual(durable ? ['datasync', 'rename', 'syncDir'] : ['rename']);
    }
  });

  it.each(['write', 'datasync', 'rename', 'open'] as const)(
    'leaves the old file and no other when %s fails',
    (call) => {
      const file = path.join(scratch(), 'file');
      fs.writeFileSync(file, 'old');
      const write = () =>
        writeFileAtomic(failing(call, 'EIO'), file, Buffer.from('n'), 'u', { durable: true });
      expect(write).toThrow(/EIO/);
      expect(fs.readdirSync(path.dirname(file))).toEqual(['file']);
      expect(fs.readFileSync(file, 'utf8')).toBe('old');
    },
  );
});

describe('folders', () => {
  it('are made with their parents, and twice is the same as once', () => {
    const dir = scratch();
    ensureDir(nodeFs, `${dir}/a/b/c`);
    ensureDir(nodeFs, `${dir}/a/b/c`);
    expect(fs.statSync(`${dir}/a/b/c`).isDirectory()).toBe(true);
  });

  it('are not synced where only what can be rebuilt is to be in them', () => {
    const dir = scratch();
    const syncs: string[] = [];
    const noting = { ...nodeFs, syncDir: (path: string) => void syncs.push(path) };
    ensureDir(noting, `${dir}/a/b`, { durable: false });
    expect(fs.statSync(`${dir}/a/b`).isDirectory()).toBe(true);
    expect(syncs).toEqual([]);
  });

  it('are synced in their parents from the outermost on', () => {
    const dir = scratch();
    const synced: string[] = [];
    const fsys = { ...nodeFs, syncDir: (at: string) => void synced.push(at) };
    ensureDir(fsys, `${dir}/a/b`);
    expect(synced).toEqual([dir, `${dir}/a`]);
  });

  it('are synced up to the top again for a durable file while nothing is in them: who made them may have died', () => {
    const dir = scratch();
    fs.mkdirSync(`${dir}/a/b`, { recursive: true });
    const synced: string[] = [];
    const fsys = { ...nodeFs, syncDir: (at: string) => void synced.push(at) };
    ensureDurableDir(fsys, `${dir}/a/b`, dir);
    expect(synced).toEqual([`${dir}/a`, dir]);
    fs.writeFileSync(`${dir}/a/b/first`, '');
    ensureDurableDir(fsys, `${dir}/a/b`, dir);
    expect(synced).toHaveLength(2);
  });

  it('may stand under a link, but must not be one', () => {
    const dir = scratch();
    fs.mkdirSync(`${dir}/real`);
    fs.symlinkSync(`${dir}/real`, `${dir}/link`);
    ensureDir(nodeFs, `${dir}/link/inner`);
    expect(fs.existsSync(`${dir}/real/inner`)).toBe(true);
    expect(() => ensureDir(nodeFs, `${dir}/link`)).toThrow(
      expect.objectContaining({ code: 'ENOTDIR' }),
    );
  });

  it('are not made where a file stands, nor under a link to nowhere', () => {
    const dir = scratch();
    fs.writeFileSync(`${dir}/file`, '');
    expect(() => ensureDir(nodeFs, `${dir}/file`)).toThrow(/not a folder/);
    expect(() => ensureDir(nodeFs, `${dir}/file/inner`)).toThrow(/ENOTDIR/);
    fs.symlinkSync(`${dir}/nowhere`, `${dir}/link`);
    expect(() => ensureDir(nodeFs, `${dir}/link/inner`)).toThrow(/ENOENT/);
    expect(fs.existsSync(`${dir}/nowhere`)).toBe(false);
  });

  it('may be made by somebody else at the same moment', () => {
    const dir = scratch();
    const raced: FileSystem = {
      ...nodeFs,
      mkdir: (at) => {
        nodeFs.mkdir(at);
        nodeFs.mkdir(at);
      },
    };
    ensureDir(raced, `${dir}/a`);
    expect(fs.statSync(`${dir}/a`).isDirectory()).toBe(true);
  });

  it('pass on what the system says when they cannot be made', () => {
    const dir = scratch();
    expect(() => ensureDir(failing('mkdir', 'EROFS'), `${dir}/a`)).toThrow(/EROFS/);
    expect(() => ensureDir(failing('statIfThere', 'EACCES'), `${dir}/a`)).toThrow(/EACCES/);
    expect(() => ensureDir(failing('mkdir', 'ENOENT'), '/')).not.toThrow();
    expect(() =>
      ensureDir({ ...failing('mkdir', 'ENOENT'), statIfThere: () => undefined }, '/a'),
    ).toThrow(/ENOENT/);
  });

  it('are listed as empty when they are absent or a file, and other errors are passed on', () => {
    const dir = scratch();
    fs.writeFileSync(`${dir}/file`, '');
    expect(readdirIfThere(nodeFs, dir)).toEqual(['file']);
    expect(readdirIfThere(nodeFs, `${dir}/none`)).toEqual([]);
    expect(readdirIfThere(nodeFs, `${dir}/file`)).toEqual([]);
    expect(() => readdirIfThere(failing('readdir', 'EACCES'), dir)).toThrow(/EACCES/);
  });

  it('are synced for real, and a file system that cannot do so is no error', () => {
    const dir = scratch();
    expect(() => nodeFs.syncDir(dir)).not.toThrow();
    expect(() => nodeFs.syncDir(`${dir}/none`)).toThrow(/ENOENT/);
    if (process.platform === 'linux') expect(() => nodeFs.syncDir('/proc/self/fd')).not.toThrow();
  });

  it.runIf(process.platform === 'linux')('hold nobody up whose place a pipe has taken', () => {
    const pipe = path.join(scratch(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    // In a process of its own: who waits for a pipe cannot be told to stop.
    const script = `
        import { nodeFs } from ${JSON.stringify(path.resolve('src/platform/fs.ts'))};
        try { nodeFs.syncDir(process.argv[2]); } catch (error) { console.log(error.code); }`;
    const program = path.join(path.dirname(pipe), 'use.mjs');
    buildSync({
      stdin: { contents: script, resolveDir: process.cwd() },
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const out = execFileSync(process.execPath, [program, pipe], {
      timeout: 10_000,
      encoding: 'utf8',
    });
    expect(out).toBe('ENOTDIR\n');
  });
});

describe('a file that another program has open', () => {
  /** Milliseconds that are slept until `act` is done, or given up. */
  const pauses = (act: () => void, platform: NodeJS.Platform) => {
    const slept: number[] = [];
    vi.spyOn(systemClock, 'sleep').mockImplementation((ms) => void slept.push(ms));
    try {
      insist(act, platform);
    } catch (error) {
      return [...slept, (error as NodeJS.ErrnoException).code];
    }
    return slept;
  };
  const refusing = (times: number, code: string) => () => {
    times -= 1;
    if (times >= 0) throw systemError(code);
  };

  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', (code) => {
    expect(pauses(refusing(3, code), 'win32')).toEqual([1, 2, 4]);
  });

  it('is given up after two seconds, for there the same error says that it may not be', () => {
    const all = pauses(refusing(1000, 'EPERM'), 'win32');
    expect(all.pop()).toBe('EPERM');
    expect((all as number[]).reduce((sum, ms) => sum + ms, 0)).toBe(2047);
  });

  it('is not waited for where nobody is in the way, nor what waiting does not mend', () => {
    expect(pauses(refusing(1, 'EPERM'), 'linux')).toEqual(['EPERM']);
    expect(pauses(refusing(1, 'EACCES'), 'darwin')).toEqual(['EACCES']);
    expect(pauses(refusing(1, 'ENOENT'), 'win32')).toEqual(['ENOENT']);
  });
});

describe('looking and removing', () => {
  it('tells what is there without following links', () => {
    const dir = scratch();
    fs.writeFileSync(`${dir}/file`, 'abc');
    fs.symlinkSync(`${dir}/file`, `${dir}/link`);
    expect(nodeFs.statIfThere(`${dir}/file`)).toMatchObject({ size: 3, isFile: true, nlink: 1 });
    expect(nodeFs.statIfThere(`${dir}/link`)).toMatchObject({
      isSymbolicLink: true,
      isFile: false,
    });
    expect(nodeFs.statIfThere(`${dir}/none`)).toBeUndefined();
    expect(statIfThere(nodeFs, `${dir}/none`)).toBeUndefined();
    expect(nodeFs.stat(dir)).toMatchObject({ isDirectory: true });
    expect(() => nodeFs.stat(`${dir}/none`)).toThrow(/ENOENT/);
  });

  it('says whether there was anything to remove', () => {
    const dir = scratch();
    fs.writeFileSync(`${dir}/file`, '');
    expect(removeIfThere(nodeFs, `${dir}/file`)).toBe(true);
    expect(removeIfThere(nodeFs, `${dir}/file`)).toBe(false);
    expect(() => removeIfThere(failing('unlink', 'EACCES'), `${dir}/file`)).toThrow(/EACCES/);
  });

  it('truncates and syncs', () => {
    const file = path.join(scratch(), 'file');
    const fd = nodeFs.open(file, 'wx');
    expect(nodeFs.write(fd, Buffer.from('abcdef'), 2)).toBe(6);
    nodeFs.truncate(fd, 4);
    nodeFs.datasync(fd);
    nodeFs.close(fd);
    expect(fs.readFileSync(file)).toEqual(Buffer.from('\0\0ab'));
  });
});

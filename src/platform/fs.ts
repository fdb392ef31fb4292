// Named one by one: a hook's bundle copies a namespace import name by name, at every start.
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errno } from './errors.ts';

/** Owner-only: what ben10 keeps is nobody else's business. */
export const DIR_MODE = 0o700;
export const FILE_MODE = 0o600;

export interface FileStat {
  size: number;
  isDirectory: boolean;
  isFile: boolean;
  isSymbolicLink: boolean;
  mtimeMs: number;
  /** Inode: tells a replaced file from a grown one. */
  ino: number;
  mode: number;
  nlink: number;
}

/**
 * The calls that the journal makes on a file system, and no others, so that a simulated one with its own idea
 * of durability can stand in. Synchronous: a hook has nothing else to do meanwhile, and order is what matters.
 * Errors are Node's (`code` = errno name).
 */
export interface FileSystem {
  /** Flags as of open(2): 'r', 'r+', 'wx', 'a'. Links are not followed in the last component. */
  open(path: string, flags: 'r' | 'r+' | 'wx' | 'a' | 'a+', mode?: number): number;
  close(fd: number): void;
  /** Bytes read; may be fewer than asked for only at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  /** Bytes written; fewer than given when the disk is full (no error is raised for a short write). */
  write(fd: number, bytes: Uint8Array, position: number): number;
  truncate(fd: number, size: number): void;
  datasync(fd: number): void;
  fsync(fd: number): void;
  /** Makes creations, renames and removals in a folder durable. No effect where folders cannot be opened (Windows). */
  syncDir(path: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  /** Names in a folder, unsorted. */
  readdir(path: string): string[];
  /** Does not follow links. */
  stat(path: string): FileStat;
  /** The same; undefined when there is nothing of that name, which is cheaper than an error. */
  statIfThere(path: string): FileStat | undefined;
  fstat(fd: number): FileStat;
}

const toStat = (s: Stats): FileStat => ({
  size: s.size,
  isDirectory: s.isDirectory(),
  isFile: s.isFile(),
  isSymbolicLink: s.isSymbolicLink(),
  mtimeMs: s.mtimeMs,
  ino: s.ino,
  mode: s.mode,
  nlink: s.nlink,
});

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_WRONLY } = constants;
// Undefined on Windows, where links need a privilege that agents do not have.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
// A pipe that somebody put in a file's place would otherwise hold the reader for ever.
const NONBLOCK = constants.O_NONBLOCK ?? 0;
const FLAGS = {
  r: O_RDONLY | NOFOLLOW | NONBLOCK,
  'r+': O_RDWR | NOFOLLOW,
  wx: O_RDWR | O_CREAT | O_EXCL | NOFOLLOW,
  a: O_WRONLY | O_CREAT | O_APPEND | NOFOLLOW,
  'a+': O_RDWR | O_CREAT | O_APPEND | NOFOLLOW,
} as const;

const CANNOT_SYNC_DIR = new Set<string | undefined>(['EINVAL', 'ENOTSUP']);

/** The real file system. */
export const nodeFs: FileSystem = {
  open: (path, flags, mode = FILE_MODE) => openSync(path, FLAGS[flags], mode),
  close: (fd) => closeSync(fd),
  read(fd, into, position) {
    let done = 0;
    while (done < into.length) {
      const n = readSync(fd, into, done, into.length - done, position + done);
      if (n === 0) break;
      done += n;
    }
    return done;
  },
  write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position),
  truncate: (fd, size) => ftruncateSync(fd, size),
  datasync: (fd) => fdatasyncSync(fd),
  fsync: (fd) => fsyncSync(fd),
  syncDir(path) {
    if (process.platform === 'win32') return;
    const fd = openSync(path, O_RDONLY);
    try {
      fsyncSync(fd);
    } catch (error) {
      // Some network and user-space file systems cannot sync a folder: nothing more can be had there.
      if (!CANNOT_SYNC_DIR.has(errno(error))) throw error;
    } finally {
      closeSync(fd);
    }
  },
  rename: (from, to) => renameSync(from, to),
  unlink: (path) => unlinkSync(path),
  mkdir: (path) => {
    mkdirSync(path, { mode: DIR_MODE });
  },
  readdir: (path) => readdirSync(path),
  stat: (path) => toStat(lstatSync(path)),
  statIfThere(path) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && toStat(stat);
  },
  fstat: (fd) => toStat(fstatSync(fd)),
};

/**
 * Reads a whole file of at most `bytesMax` bytes.
 * @throws Node's error; EFBIG when it is larger, EISDIR when it is a folder, a pipe or a device
 */
export function readFile(fsys: FileSystem, path: string, bytesMax: number): Uint8Array {
  const fd = fsys.open(path, 'r');
  try {
    const { size, isFile } = fsys.fstat(fd);
    if (!isFile) throw systemError('EISDIR', `${path} is not a file`);
    if (size > bytesMax) {
      throw systemError('EFBIG', `${path}: ${size} bytes, the limit is ${bytesMax}`);
    }
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, fsys.read(fd, bytes, 0));
  } finally {
    fsys.close(fd);
  }
}

const systemError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** Writes all bytes or throws ENOSPC: a short write is how a full disk shows first. */
export function writeAll(fsys: FileSystem, fd: number, bytes: Uint8Array, position: number): void {
  const n = fsys.write(fd, bytes, position);
  if (n !== bytes.length) {
    throw systemError('ENOSPC', `wrote ${n} of ${bytes.length} bytes: no space left`);
  }
}

/**
 * Publishes a file whole or not at all: temp name, write, sync, rename, sync of the folder.
 * `durable: false` leaves out both syncs, for files that can be rebuilt.
 */
export function writeFileAtomic(
  fsys: FileSystem,
  path: string,
  bytes: Uint8Array,
  unique: string,
  options: { durable: boolean },
): void {
  const temp = `${path}.${unique}.tmp`;
  try {
    const fd = fsys.open(temp, 'wx');
    try {
      writeAll(fsys, fd, bytes, 0);
      if (options.durable) fsys.datasync(fd);
    } finally {
      fsys.close(fd);
    }
    fsys.rename(temp, path);
  } catch (error) {
    removeIfThere(fsys, temp);
    throw error;
  }
  if (options.durable) fsys.syncDir(dirname(path));
}

/** True when the file was there. */
export function removeIfThere(fsys: FileSystem, path: string): boolean {
  try {
    fsys.unlink(path);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

export const statIfThere = (fsys: FileSystem, path: string): FileStat | undefined =>
  fsys.statIfThere(path);

/**
 * Makes a folder and its missing parents, each durable in its own parent.
 * @throws ENOTDIR when there is a link or a file in its place; links above it are the user's own business
 */
export function ensureDir(fsys: FileSystem, path: string): void {
  const found = fsys.statIfThere(path);
  if (found === undefined) makeDir(fsys, path);
  else if (!found.isDirectory) throw systemError('ENOTDIR', `${path} is not a folder`);
}

function makeDir(fsys: FileSystem, path: string): void {
  const parent = dirname(path);
  if (!made(fsys, path)) {
    makeDir(fsys, parent);
    made(fsys, path);
  }
  fsys.syncDir(parent);
}

/** False when its parent is missing. Somebody else may have been faster. */
function made(fsys: FileSystem, path: string): boolean {
  try {
    fsys.mkdir(path);
  } catch (error) {
    if (errno(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (errno(error) !== 'EEXIST') throw error;
  }
  return true;
}

/** Names in a folder; an absent folder, or a file in its place, is an empty one. */
export function readdirIfThere(fsys: FileSystem, path: string): string[] {
  try {
    return fsys.readdir(path);
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return [];
    throw error;
  }
}

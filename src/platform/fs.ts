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
  /** When it was made, milliseconds since the epoch; 0 or left out where the file system does not keep that. */
  bornMs?: number;
  mode: number;
  /** Who owns it; left out where there are no owners. */
  uid?: number;
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

// By the mode, as `Stats` itself does: its methods would each have to be compiled by a hook.
const { S_IFMT, S_IFDIR, S_IFREG, S_IFLNK } = constants;
const toStat = (s: Stats): FileStat => ({
  size: s.size,
  isDirectory: (s.mode & S_IFMT) === S_IFDIR,
  isFile: (s.mode & S_IFMT) === S_IFREG,
  isSymbolicLink: (s.mode & S_IFMT) === S_IFLNK,
  mtimeMs: s.mtimeMs,
  ino: s.ino,
  bornMs: s.birthtimeMs,
  mode: s.mode,
  uid: s.uid,
  nlink: s.nlink,
});

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_WRONLY } = constants;
// A pipe in a folder's place is refused, not waited for. Undefined on Windows.
const DIRECTORY = constants.O_DIRECTORY ?? 0;
// Undefined on Windows, where links need a privilege that agents do not have.
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
// A pipe that somebody put in a file's place would otherwise hold the reader for ever.
const NONBLOCK = constants.O_NONBLOCK ?? 0;
const FLAGS = {
  r: O_RDONLY | NOFOLLOW | NONBLOCK,
  'r+': O_RDWR | NOFOLLOW,
  wx: O_RDWR | O_CREAT | O_EXCL | NOFOLLOW,
  a: O_WRONLY | O_CREAT | O_APPEND | NOFOLLOW | NONBLOCK,
  'a+': O_RDWR | O_CREAT | O_APPEND | NOFOLLOW,
} as const;

const CANNOT_SYNC_DIR = new Set<string | undefined>(['EINVAL', 'ENOTSUP']);

const OWNER = 0o700;
let isOwnerMasked: boolean | undefined;

/** Makes a file or folder with the rights that it should have: a umask can take them from the owner, too. */
function withRights<T>(make: () => T): T {
  if (isOwnerMasked === undefined) {
    const mask = process.umask(0);
    process.umask(mask);
    isOwnerMasked = (mask & OWNER) !== 0;
  }
  if (!isOwnerMasked) return make();
  const mask = process.umask(0);
  try {
    return make();
  } finally {
    process.umask(mask);
  }
}

/** The real file system. */
export const nodeFs: FileSystem = {
  open: (path, flags, mode = FILE_MODE) =>
    flags === 'r' || flags === 'r+'
      ? openSync(path, FLAGS[flags], mode)
      : withRights(() => openSync(path, FLAGS[flags], mode)),
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
    const fd = openSync(path, O_RDONLY | DIRECTORY);
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
    withRights(() => mkdirSync(path, { mode: DIR_MODE }));
  },
  readdir: (path) => readdirSync(path),
  stat: (path) => toStat(lstatSync(path)),
  statIfThere(path) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && toStat(stat);
  },
  fstat: (fd) => toStat(fstatSync(fd)),
};

// Single names: a bundled namespace import would copy every name at each start of a hook.
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
import { systemClock } from './clock.ts';
import { errno } from './errors.ts';

export const DIR_MODE = 0o700;
export const FILE_MODE = 0o600;

export interface FileStat {
  size: number;
  isDirectory: boolean;
  isFile: boolean;
  isSymbolicLink: boolean;
  mtimeMs: number;
  /** The inode differs if a file was replaced. */
  ino: number;
  /** Creation time, milliseconds since the epoch; 0 or absent if unknown. */
  bornMs?: number;
  mode: number;
  /** Absent on systems without owners. */
  uid?: number;
  nlink: number;
}

/**
 * The file system calls of the journal; tests replace them with a simulation of power cuts. Synchronous, because order matters
 * and a hook has nothing else to do. Errors are Node's.
 */
export interface FileSystem {
  /** Does not follow a link in the last component. */
  open(path: string, flags: 'r' | 'r+' | 'wx' | 'a+', mode?: number): number;
  close(fd: number): void;
  /** Fewer bytes than asked for only at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  /** Fewer bytes than given when the disk is full. */
  write(fd: number, bytes: Uint8Array, position: number): number;
  truncate(fd: number, size: number): void;
  datasync(fd: number): void;
  /** Makes creations, renames and removals in a folder durable. No effect on Windows. */
  syncDir(path: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  /** Names in a folder, unsorted. */
  readdir(path: string): string[];
  /** Does not follow links. */
  stat(path: string): FileStat;
  /** Undefined if it does not exist, which is cheaper than an error. */
  statIfThere(path: string): FileStat | undefined;
  fstat(fd: number): FileStat;
}

const {
  S_IFMT,
  S_IFDIR,
  S_IFREG,
  S_IFLNK,
  O_RDONLY,
  O_RDWR,
  O_CREAT,
  O_EXCL,
  O_APPEND,
  // The following are undefined on Windows, where links need a privilege that agents do not have.
  O_NOFOLLOW,
  // Both keep a pipe in the place of a file or folder from blocking.
  O_DIRECTORY,
  O_NONBLOCK,
} = constants;
// By mode bits: a hook would have to compile each method of `Stats`.
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

const FLAGS = {
  r: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  'r+': O_RDWR | O_NOFOLLOW,
  wx: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
  'a+': O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW,
} as const;

const CANNOT_SYNC_DIR = /^E(INVAL|NOTSUP)$/;

let isOwnerMasked: boolean | undefined;

/** Ignores a umask that would take permissions from the owner. */
function withRights<T>(make: () => T): T {
  if (isOwnerMasked === undefined) {
    const mask = process.umask(0);
    process.umask(mask);
    isOwnerMasked = (mask & DIR_MODE) !== 0;
  }
  if (!isOwnerMasked) return make();
  const mask = process.umask(0);
  try {
    return make();
  } finally {
    process.umask(mask);
  }
}

/** The longest pause between two tries; all pauses together are twice as long. */
const PAUSE_MS_MAX = 1024;
/** What Windows reports while another program has a file open, and for a missing permission. */
const HELD = /^E(PERM|ACCES|BUSY)$/;

/** Retries on Windows, where a virus scanner or a reader may have the file open. On other systems the error is final. */
export function insist(act: () => void, platform: NodeJS.Platform = process.platform): void {
  for (let pause = 1; ; pause *= 2) {
    try {
      act();
      return;
    } catch (error) {
      if (platform !== 'win32' || pause > PAUSE_MS_MAX || !HELD.test(errno(error)!)) throw error;
    }
    systemClock.sleep(pause);
  }
}

/** The real file system. */
export const nodeFs: FileSystem = {
  open: (path, flags, mode = FILE_MODE) =>
    flags[0] === 'r'
      ? openSync(path, FLAGS[flags])
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
  syncDir(path) {
    if (process.platform === 'win32') return;
    const fd = openSync(path, O_RDONLY | O_DIRECTORY);
    try {
      fsyncSync(fd);
    } catch (error) {
      // Some network and user-space file systems cannot sync a folder.
      if (!CANNOT_SYNC_DIR.test(errno(error)!)) throw error;
    } finally {
      closeSync(fd);
    }
  },
  rename: (from, to) => insist(() => renameSync(from, to)),
  unlink: (path) => insist(() => unlinkSync(path)),
  mkdir: (path) => withRights(() => mkdirSync(path, { mode: DIR_MODE })),
  readdir: (path) => readdirSync(path),
  stat: (path) => toStat(lstatSync(path)),
  statIfThere(path) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat && toStat(stat);
  },
  fstat: (fd) => toStat(fstatSync(fd)),
};

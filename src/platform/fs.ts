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
import { systemClock } from './clock.ts';
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
  /** Flags as of fopen(3), and 'wx' for a file that must be new. Links are not followed in the last component. */
  open(path: string, flags: 'r' | 'r+' | 'wx' | 'a+', mode?: number): number;
  close(fd: number): void;
  /** Bytes read; may be fewer than asked for only at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  /** Bytes written; fewer than given when the disk is full (no error is raised for a short write). */
  write(fd: number, bytes: Uint8Array, position: number): number;
  truncate(fd: number, size: number): void;
  datasync(fd: number): void;
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

const {
  // By the mode, as `Stats` itself does: its methods would each have to be compiled by a hook.
  S_IFMT,
  S_IFDIR,
  S_IFREG,
  S_IFLNK,
  O_RDONLY,
  O_RDWR,
  O_CREAT,
  O_EXCL,
  O_APPEND,
  // The following are undefined on Windows, which is no flag. There links need a privilege that agents do not have.
  O_NOFOLLOW,
  // A pipe in a folder's place is refused, not waited for.
  O_DIRECTORY,
  // A pipe that somebody put in a file's place would otherwise hold the reader for ever.
  O_NONBLOCK,
} = constants;
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

/** Makes a file or folder with the rights that it should have: a umask can take them from the owner, too. */
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

/** The longest pause between two tries, milliseconds; all pauses together are twice as long. */
const PAUSE_MS_MAX = 1024;
/** What Windows says when a file cannot be had, be it for good or only while another program has it open. */
const HELD = /^E(PERM|ACCES|BUSY)$/;

/**
 * Does what Windows refuses while one of the files is open: to a scanner, which looks at whatever was just written, or to somebody
 * who reads what is to be replaced. Elsewhere nobody is in the way, and such an error is final.
 */
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
      // Some network and user-space file systems cannot sync a folder: nothing more can be had there.
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

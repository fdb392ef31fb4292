import * as fs from 'node:fs';

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
  fstat(fd: number): FileStat;
}

const toStat = (s: fs.Stats): FileStat => ({
  size: s.size,
  isDirectory: s.isDirectory(),
  isFile: s.isFile(),
  isSymbolicLink: s.isSymbolicLink(),
  mtimeMs: s.mtimeMs,
  ino: s.ino,
  mode: s.mode,
  nlink: s.nlink,
});

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_WRONLY } = fs.constants;
// Undefined on Windows, where links need a privilege that agents do not have.
const NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
const FLAGS = {
  r: O_RDONLY | NOFOLLOW,
  'r+': O_RDWR | NOFOLLOW,
  wx: O_RDWR | O_CREAT | O_EXCL | NOFOLLOW,
  a: O_WRONLY | O_CREAT | O_APPEND | NOFOLLOW,
  'a+': O_RDWR | O_CREAT | O_APPEND | NOFOLLOW,
} as const;

/** The real file system. */
export const nodeFs: FileSystem = {
  open: (path, flags, mode = FILE_MODE) => fs.openSync(path, FLAGS[flags], mode),
  close: (fd) => fs.closeSync(fd),
  read(fd, into, position) {
    let done = 0;
    while (done < into.length) {
      const n = fs.readSync(fd, into, done, into.length - done, position + done);
      if (n === 0) break;
      done += n;
    }
    return done;
  },
  write: (fd, bytes, position) => fs.writeSync(fd, bytes, 0, bytes.length, position),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  datasync: (fd) => fs.fdatasyncSync(fd),
  fsync: (fd) => fs.fsyncSync(fd),
  syncDir(path) {
    if (process.platform === 'win32') return;
    const fd = fs.openSync(path, O_RDONLY);
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  },
  rename: (from, to) => fs.renameSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  mkdir: (path) => {
    fs.mkdirSync(path, { mode: DIR_MODE });
  },
  readdir: (path) => fs.readdirSync(path),
  stat: (path) => toStat(fs.lstatSync(path)),
  fstat: (fd) => toStat(fs.fstatSync(fd)),
};

/** Reads a whole file of at most `bytesMax` bytes. */
export function readFile(fsys: FileSystem, path: string, bytesMax: number): Uint8Array {
  const fd = fsys.open(path, 'r');
  try {
    const { size } = fsys.fstat(fd);
    if (size > bytesMax) {
      throw Object.assign(new Error(`${path}: ${size} bytes, the limit is ${bytesMax}`), {
        code: 'EFBIG',
      });
    }
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, fsys.read(fd, bytes, 0));
  } finally {
    fsys.close(fd);
  }
}

/** Writes all bytes or throws ENOSPC: a short write is how a full disk shows first. */
export function writeAll(fsys: FileSystem, fd: number, bytes: Uint8Array, position: number): void {
  const n = fsys.write(fd, bytes, position);
  if (n !== bytes.length) {
    throw Object.assign(new Error(`wrote ${n} of ${bytes.length} bytes: no space left`), {
      code: 'ENOSPC',
    });
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
  const fd = fsys.open(temp, 'wx');
  try {
    writeAll(fsys, fd, bytes, 0);
    if (options.durable) fsys.datasync(fd);
  } catch (error) {
    fsys.close(fd);
    removeIfThere(fsys, temp);
    throw error;
  }
  fsys.close(fd);
  fsys.rename(temp, path);
  if (options.durable)
    fsys.syncDir(path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'))));
}

/** True when the file was there. */
export function removeIfThere(fsys: FileSystem, path: string): boolean {
  try {
    fsys.unlink(path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes a folder and its missing parents, each durable in its own parent. */
export function ensureDir(fsys: FileSystem, path: string): void {
  try {
    if (fsys.stat(path).isDirectory) return;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const parent = path.slice(0, cut);
  if (cut > 0 && parent !== path && !parent.endsWith(':')) ensureDir(fsys, parent);
  try {
    fsys.mkdir(path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    return;
  }
  if (cut > 0) fsys.syncDir(parent);
}

/** Names in a folder; an absent folder is an empty one. */
export function readdirIfThere(fsys: FileSystem, path: string): string[] {
  try {
    return fsys.readdir(path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return [];
    throw error;
  }
}

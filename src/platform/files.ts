import { dirname } from 'node:path';
import { errno } from './errors.ts';
import type { FileStat, FileSystem } from './fs.ts';

/**
 * Reads a whole file of at most `bytesMax` bytes.
 * @param room for its bytes
 * @throws as `withFile`
 */
export const readFile = (
  fsys: FileSystem,
  path: string,
  bytesMax: number,
  room: (bytes: number) => Buffer = Buffer.allocUnsafe,
): Buffer =>
  withFile(fsys, path, bytesMax, (size, read) => {
    const bytes = room(size);
    const had = read(bytes, 0);
    return had === size ? bytes : bytes.subarray(0, had);
  });

/** Puts what a file has from an offset on into a buffer. @returns how many bytes; fewer only where the file ends */
type ReadPart = (into: Uint8Array, at: number) => number;

/**
 * Lends a file of at most `bytesMax` bytes.
 * @throws Node's error; EFBIG when it is larger, EISDIR when it is a folder, a pipe, a socket or a device, EIO when
 * less can be read than is there
 */
export function withFile<T>(
  fsys: FileSystem,
  path: string,
  bytesMax: number,
  use: (size: number, read: ReadPart) => T,
): T {
  const fd = openFile(fsys, path);
  try {
    const { size, isFile } = fsys.fstat(fd);
    if (!isFile) throw noFile(path);
    if (size > bytesMax) {
      throw systemError('EFBIG', `${path}: ${size} bytes, the limit is ${bytesMax}`);
    }
    return use(size, (into, at) => {
      const had = fsys.read(fd, into, at);
      // Cut off meanwhile, or not given: what cannot be read must not pass for what is not there.
      if (had < Math.min(into.length, size - at) && fsys.fstat(fd).size > at + had)
        throw systemError('EIO', `${path}: ${at + had} of ${size} bytes could be read`);
      return had;
    });
  } finally {
    fsys.close(fd);
  }
}

function openFile(fsys: FileSystem, path: string): number {
  try {
    return fsys.open(path, 'r');
  } catch (error) {
    throw SOCKET.has(errno(error)) ? noFile(path) : error;
  }
}

/** What opening a socket fails with: on Linux, on macOS. */
export const SOCKET = new Set<string | undefined>(['ENXIO', 'EOPNOTSUPP']);

const noFile = (path: string): Error => systemError('EISDIR', `${path} is not a file`);

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
  options: PublishOptions,
): void {
  publishFile(fsys, path, `${path}.${unique}.tmp`, bytes, options);
  if (options.durable) fsys.syncDir(dirname(path));
}

interface PublishOptions {
  durable: boolean;
  /**
   * Whether nobody may have the bytes any more: asked before the first of them is written, when the temporary file is there to
   * be seen, and before it gets its name. Once true, it stays true.
   */
  isVoid?: () => boolean;
}

/** Who was stopped for long over a temporary file finds it removed, as a dead process's, and writes it once more. */
const ATTEMPTS_MAX = 2;

/** The same, without the sync of the folder. */
export function publishFile(
  fsys: FileSystem,
  path: string,
  temp: string,
  bytes: Uint8Array,
  options: PublishOptions,
): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const fd = fsys.open(temp, 'wx');
      try {
        if (options.isVoid?.() !== true) writeAll(fsys, fd, bytes, 0);
        if (options.durable) fsys.datasync(fd);
      } finally {
        fsys.close(fd);
      }
      if (options.isVoid?.() === true) removeIfThere(fsys, temp);
      else fsys.rename(temp, path);
      return;
    } catch (error) {
      dropHalf(fsys, temp);
      if (errno(error) !== 'ENOENT' || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Where it cannot be removed, that is not why it could not be written. */
export function dropHalf(fsys: FileSystem, path: string): void {
  try {
    removeIfThere(fsys, path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
  }
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

/** The same for one that gets another name, in place of what bears it. */
export function renameIfThere(fsys: FileSystem, from: string, to: string): boolean {
  try {
    fsys.rename(from, to);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

const WRITABLE_BY_ALL = 0o002;

/**
 * Whether others could have put into a folder what is in it: it belongs to somebody else, who is not root, or every user
 * of the machine may write to it. As git's safe.directory and ssh's StrictModes have it; a group's right to write is left
 * to `ben10 doctor`, since clones have it where every user has a group of their own. Always `no` on Windows.
 */
export function openToOthers({ uid, mode }: FileStat): 'no' | 'owner' | 'mode' {
  if (uid === undefined) return 'no';
  const me = process.geteuid?.();
  if (me === undefined) return 'no';
  if (uid !== me && uid !== ROOT) return 'owner';
  return (mode & WRITABLE_BY_ALL) === 0 ? 'no' : 'mode';
}

const ROOT = 0;

export const statIfThere = (fsys: FileSystem, path: string): FileStat | undefined =>
  fsys.statIfThere(path);

/**
 * Makes a folder and its missing parents, each durable in its own parent; `durable: false` leaves the syncs out, where only
 * files are to be that can be rebuilt.
 * @throws ENOTDIR when there is a link or a file in its place; links above it are the user's own business
 */
export function ensureDir(fsys: FileSystem, path: string, { durable = true } = {}): void {
  const found = fsys.statIfThere(path);
  if (found === undefined) makeDir(fsys, path, durable);
  else if (!found.isDirectory) throw systemError('ENOTDIR', `${path} is not a folder`);
}

/**
 * The same for a file that is going to be durable, with the folders up to `top`: who made one may have died before its
 * name was on disk, and then nothing is in it.
 */
export function ensureDurableDir(fsys: FileSystem, path: string, top: string): void {
  ensureDir(fsys, path);
  if (fsys.readdir(path).length > 0) return;
  for (let dir = path; dir !== top; ) {
    dir = dirname(dir);
    fsys.syncDir(dir);
  }
}

function makeDir(fsys: FileSystem, path: string, durable: boolean): void {
  const parent = dirname(path);
  if (!made(fsys, path)) {
    makeDir(fsys, parent, durable);
    made(fsys, path);
  }
  if (durable) fsys.syncDir(parent);
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

/** Names in a folder; an absent folder, or a file or a link in its place, is an empty one. */
export function readdirIfThere(fsys: FileSystem, path: string): string[] {
  try {
    // What a link names is not ours to list, nor to remove.
    if (fsys.statIfThere(path)?.isDirectory !== true) return [];
    return fsys.readdir(path);
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return [];
    throw error;
  }
}

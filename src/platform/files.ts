import { dirname } from 'node:path';
import { errno } from './errors.ts';
import type { FileStat, FileSystem } from './fs.ts';

/** @param room allocates memory for the file's bytes. @throws as `withFile` */
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

/** Reads from an offset. @returns the number of bytes; fewer than asked for only at the end */
type ReadPart = (into: Uint8Array, at: number) => number;

/**
 * Opens a file while `use` runs.
 * @throws Node's error; EFBIG for more than `bytesMax` bytes, EISDIR for what is no regular file, EIO for a short read
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
      // A failed read must not pass for the end of the file.
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

/** The last bytes of a file as Latin-1; none of a file that is missing, unreadable or not regular. */
export function readTail(fsys: FileSystem, path: string, bytesMax: number): string {
  try {
    return withFile(fsys, path, Number.POSITIVE_INFINITY, (size, read) => {
      const bytes = Buffer.alloc(Math.min(size, bytesMax));
      return bytes.toString('latin1', 0, read(bytes, size - bytes.length));
    });
  } catch {
    return '';
  }
}

/** The errors of opening a socket on Linux and macOS. */
export const SOCKET = new Set<string | undefined>(['ENXIO', 'EOPNOTSUPP']);

const noFile = (path: string): Error => systemError('EISDIR', `${path} is not a file`);

const systemError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** Writes all bytes or throws ENOSPC: a full disk first shows as a short write. */
export function writeAll(fsys: FileSystem, fd: number, bytes: Uint8Array, position: number): void {
  const n = fsys.write(fd, bytes, position);
  if (n !== bytes.length) {
    throw systemError('ENOSPC', `wrote ${n} of ${bytes.length} bytes: no space left`);
  }
}

/** Writes a file atomically: temporary name, write, sync, rename, sync of the folder. */
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
  /** False skips the syncs, for files that can be rebuilt. */
  durable: boolean;
  /** True if the bytes were erased meanwhile: checked before the write and before the rename. Once true, it stays true. */
  isVoid?: () => boolean;
}

/** Another process may remove the temporary file of a writer that paused for long. */
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

/** Removes a partial file; a failure must not hide the error of the write. */
export function dropHalf(fsys: FileSystem, path: string): void {
  try {
    removeIfThere(fsys, path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
  }
}

/** True if the file existed. */
export function removeIfThere(fsys: FileSystem, path: string): boolean {
  try {
    fsys.unlink(path);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

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
 * Whether others could have written to a folder: another user owns it (not root), or everybody may write to it. Group
 * permissions are left to `ben10 doctor`: clones often have them. Always `no` on Windows.
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
 * Makes a folder and its missing parents, and syncs each parent if `durable`.
 * @throws ENOTDIR if it is a link or a file; links above it are allowed
 */
export function ensureDir(fsys: FileSystem, path: string, { durable = true } = {}): void {
  const found = fsys.statIfThere(path);
  if (found === undefined) makeDir(fsys, path, durable);
  else if (!found.isDirectory) throw systemError('ENOTDIR', `${path} is not a folder`);
}

/** The same; syncs all parents up to `top` while the folder is empty: its creator may have crashed before it was synced. */
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

/** False if its parent is missing. Another process may have made it. */
function made(fsys: FileSystem, path: string): boolean {
  try {
    fsys.mkdir(path);
  } catch (error) {
    if (errno(error) === 'ENOENT' && dirname(path) !== path) return false;
    if (errno(error) !== 'EEXIST') throw error;
  }
  return true;
}

/** Names in a folder; none if it is missing, a file or a link. */
export function readdirIfThere(fsys: FileSystem, path: string): string[] {
  try {
    if (fsys.statIfThere(path)?.isDirectory !== true) return [];
    return fsys.readdir(path);
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return [];
    throw error;
  }
}

import type { FileStat, FileSystem } from '../../src/platform/fs.ts';
import type { FileLock } from '../../src/platform/lock.ts';
import { apply, copyOf, type DiskOp, type Image, ROOT } from './image.ts';

interface OpenFile {
  number: number;
  process: number;
  path: string;
}

/** Without a stack, which costs more than everything else here. */
function failure(code: string, path: string): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${path}`), { code });
  Error.stackTraceLimit = limit;
  return error;
}

const namesOf = new Map<string, string[]>();
function split(path: string): string[] {
  let names = namesOf.get(path);
  if (names === undefined) {
    names = path.split('/').filter((name) => name !== '');
    if (namesOf.size > 10_000) namesOf.clear();
    namesOf.set(path, names);
  }
  return names;
}

/** What a killed process gets from every call: nothing in the product knows it, so nothing catches it for good. */
export class Killed extends Error {}

/**
 * A disk that several simulated processes share. What they see is `live`; what survives a loss of power is worked out
 * from `base` and `log` (`crash-states.ts`).
 */
export class SimDisk {
  /** What was on the disk for certain when it began. */
  readonly base: Image;
  readonly live: Image;
  readonly log: DiskOp[] = [];
  /** Milliseconds since the epoch: the clock of every process. It moves when somebody sleeps, or the harness says. */
  now: number;
  readonly bootedAt: number;
  /** Called before every call of a process, with its name. It may run other processes, or kill this one. */
  beforeCall: ((process: number, call: string) => void) | undefined;
  /** A write is seen by others half done, as happens between pages. */
  splitsWrites = false;
  readonly #open = new Map<number, OpenFile>();
  readonly #locks = new Map<number, number>();
  readonly #changed = new Map<number, number>();
  readonly #killed = new Set<number>();
  #next: number;
  #nextFd = 10;

  /** @param bootedAt when the machine was started, milliseconds since the epoch; 0 for long ago */
  constructor(image: Image, now: number, bootedAt = 0) {
    this.bootedAt = bootedAt;
    this.base = image;
    this.live = copyOf(image);
    this.now = now;
    this.#next = Math.max(ROOT, ...image.files.keys(), ...image.folders.keys()) + 1;
  }

  do(op: DiskOp): void {
    this.log.push(op);
    apply(this.live, op);
    if ('folder' in op && op.kind !== 'syncFolder') this.#changed.set(op.folder, this.now);
    if (op.kind === 'rename') this.#changed.set(op.from, this.now);
    if ('file' in op && op.kind === 'write') this.#changed.set(op.file, this.now);
  }

  /** All that is there is on the disk from now on, and nothing of what went before is remembered. */
  settle(): void {
    const { files, folders } = copyOf(this.live);
    Object.assign(this.base, { files, folders });
    this.log.length = 0;
  }

  /** The process is gone at once: its files are closed, its locks are free, none of its calls does anything. */
  kill(process: number): void {
    this.#killed.add(process);
    for (const [fd, file] of this.#open) if (file.process === process) this.close(fd);
  }

  enter(process: number, call: string): void {
    if (this.#killed.has(process)) throw new Killed();
    this.beforeCall?.(process, call);
    if (this.#killed.has(process)) throw new Killed();
  }

  /** The number of what is at a path. @throws ENOENT, ENOTDIR */
  find(path: string): number | undefined {
    const { folder, name } = this.parent(path);
    return name === '' ? ROOT : this.live.folders.get(folder)!.get(name);
  }

  parent(path: string): { folder: number; name: string } {
    const names = split(path);
    let folder = ROOT;
    for (let index = 0; index < names.length - 1; index += 1) {
      const next = this.live.folders.get(folder)!.get(names[index]!);
      if (next === undefined) throw failure('ENOENT', path);
      if (!this.live.folders.has(next)) throw failure('ENOTDIR', path);
      folder = next;
    }
    return { folder, name: names.at(-1) ?? '' };
  }

  create(path: string, isFolder: boolean): number {
    const { folder, name } = this.parent(path);
    const number = this.#next++;
    if (isFolder) this.live.folders.set(number, new Map());
    // Whether a name for it is found after a crash is another matter.
    if (isFolder) this.base.folders.set(number, new Map());
    else this.live.files.set(number, Buffer.alloc(0));
    this.do({ kind: 'link', folder, name, file: number });
    this.#changed.set(number, this.now);
    return number;
  }

  opened(process: number, number: number, path: string): number {
    const fd = this.#nextFd++;
    this.#open.set(fd, { number, process, path });
    return fd;
  }

  number(fd: number): number {
    const file = this.#open.get(fd);
    if (file === undefined) throw failure('EBADF', String(fd));
    return file.number;
  }

  close(fd: number): void {
    const number = this.number(fd);
    if (this.#locks.get(number) === fd) this.#locks.delete(number);
    this.#open.delete(fd);
  }

  lock(fd: number): boolean {
    const number = this.number(fd);
    const holder = this.#locks.get(number) ?? fd;
    if (holder !== fd) return false;
    this.#locks.set(number, fd);
    return true;
  }

  unlock(fd: number): void {
    const number = this.number(fd);
    if (this.#locks.get(number) === fd) this.#locks.delete(number);
  }

  stat(number: number): FileStat {
    const isDirectory = this.live.folders.has(number);
    return {
      size: this.live.files.get(number)?.length ?? 0,
      isDirectory,
      isFile: !isDirectory,
      isSymbolicLink: false,
      mtimeMs: this.#changed.get(number) ?? 0,
      ino: number,
      mode: isDirectory ? 0o40700 : 0o100600,
      nlink: this.#isLinked(number) ? 1 : 0,
    };
  }

  #isLinked(number: number): boolean {
    if (number === ROOT) return true;
    for (const names of this.live.folders.values())
      for (const one of names.values()) if (one === number) return true;
    return false;
  }
}

/** One process's view of the disk, its locks included. */
export function fileSystemOf(disk: SimDisk, process: number): FileSystem {
  const enter = (call: string) => disk.enter(process, call);
  const there = (path: string): number => {
    const number = disk.find(path);
    if (number === undefined) throw failure('ENOENT', path);
    return number;
  };
  return {
    open(path, flags) {
      enter('open');
      const found = disk.find(path);
      if (found === undefined && (flags === 'r' || flags === 'r+')) throw failure('ENOENT', path);
      if (found !== undefined && flags === 'wx') throw failure('EEXIST', path);
      if (found !== undefined && flags !== 'r' && disk.live.folders.has(found))
        throw failure('EISDIR', path);
      return disk.opened(process, found ?? disk.create(path, false), path);
    },
    close(fd) {
      enter('close');
      disk.close(fd);
    },
    read(fd, into, position) {
      enter('read');
      const content = disk.live.files.get(disk.number(fd))!;
      return content.copy(into, 0, position, position + into.length);
    },
    write(fd, bytes, position) {
      enter('write');
      const file = disk.number(fd);
      const half = disk.splitsWrites ? bytes.length >> 1 : 0;
      if (half > 0) {
        disk.do({ kind: 'write', file, at: position, bytes: Buffer.from(bytes.subarray(0, half)) });
        enter('write on');
      }
      const rest = Buffer.from(bytes.subarray(half));
      disk.do({ kind: 'write', file, at: position + half, bytes: rest });
      return bytes.length;
    },
    truncate(fd, size) {
      enter('truncate');
      disk.do({ kind: 'truncate', file: disk.number(fd), size });
    },
    datasync(fd) {
      enter('sync');
      disk.do({ kind: 'sync', file: disk.number(fd) });
    },
    syncDir(path) {
      enter('syncDir');
      disk.do({ kind: 'syncFolder', folder: there(path) });
    },
    rename(from, to) {
      enter('rename');
      const file = there(from);
      const source = disk.parent(from);
      const { folder, name } = disk.parent(to);
      disk.do({ kind: 'rename', folder, name, file, from: source.folder, fromName: source.name });
    },
    unlink(path) {
      enter('unlink');
      there(path);
      const { folder, name } = disk.parent(path);
      disk.do({ kind: 'remove', folder, name });
    },
    mkdir(path) {
      enter('mkdir');
      if (disk.find(path) !== undefined) throw failure('EEXIST', path);
      disk.create(path, true);
    },
    readdir(path) {
      enter('readdir');
      const names = disk.live.folders.get(there(path));
      if (names === undefined) throw failure('ENOTDIR', path);
      return [...names.keys()];
    },
    stat: (path) => disk.stat(there(path)),
    statIfThere(path) {
      enter('stat');
      let found: number | undefined;
      try {
        found = disk.find(path);
      } catch {
        return undefined;
      }
      return found === undefined ? undefined : disk.stat(found);
    },
    fstat(fd) {
      enter('stat');
      return disk.stat(disk.number(fd));
    },
  };
}

export function lockOf(disk: SimDisk, process: number): FileLock {
  return {
    tryLock(fd) {
      disk.enter(process, 'lock');
      return disk.lock(fd);
    },
    unlock(fd) {
      disk.enter(process, 'unlock');
      disk.unlock(fd);
    },
  };
}

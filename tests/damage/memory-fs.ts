import path from 'node:path';
import type { FileStat, FileSystem } from '../../src/platform/fs.ts';

interface Inode {
  bytes: Buffer;
  ino: number;
  nlink: number;
  mtimeMs: number;
}

interface Handle {
  inode: Inode;
  path: string;
  isWritable: boolean;
}

/** Behind those that every process begins with. */
const FIRST_FD = 3;
const NO_BYTES = Buffer.alloc(0);

const systemError = (code: string, what: string): Error =>
  Object.assign(new Error(`${code}: ${what}`), { code });

/** Files and folders by their absolute paths. Bytes are never changed in place: copies share them. */
export interface Image {
  files: ReadonlyMap<string, Buffer>;
  folders: ReadonlySet<string>;
}

/**
 * A whole file system in memory, for tests that look at thousands of journals: it has no idea of durability, and its
 * descriptors count what is open.
 */
export class MemoryFs implements FileSystem {
  readonly #files = new Map<string, Inode>();
  readonly #folders = new Map<string, number>();
  /** By their descriptors, of which the lowest that is free is taken, as POSIX says. */
  readonly #open: (Handle | undefined)[] = [];
  /** Names in each folder that was asked for since a name last changed. */
  readonly #listed = new Map<string, string[]>();
  #inodes = 1;
  /** Rises with every change, so that a folder's time tells that it changed. */
  #time = 1_795_250_000_000;

  constructor(image: Image = { files: new Map(), folders: new Set(['/']) }) {
    for (const folder of image.folders) this.#folders.set(folder, this.#tick());
    for (const [file, bytes] of image.files) this.#files.set(file, this.#inode(bytes));
  }

  /** What stands in it now. */
  image(): Image {
    return {
      files: new Map([...this.#files].map(([file, { bytes }]) => [file, bytes])),
      folders: new Set(this.#folders.keys()),
    };
  }

  /** Replaces one file's bytes, as rot does: nobody is told. */
  rot(file: string, bytes: Buffer): void {
    this.#files.get(file)!.bytes = bytes;
  }

  bytesOf(file: string): Buffer {
    return this.#files.get(file)!.bytes;
  }

  /** Descriptors that were not closed. */
  get opened(): number {
    return this.#open.filter((one) => one !== undefined).length;
  }

  #tick(): number {
    this.#time += 1;
    return this.#time;
  }

  #inode(bytes: Buffer): Inode {
    this.#inodes += 1;
    return { bytes, ino: this.#inodes, nlink: 1, mtimeMs: this.#tick() };
  }

  #touchParent(file: string): void {
    const parent = path.posix.dirname(file);
    if (!this.#folders.has(parent)) throw systemError('ENOENT', file);
    this.#listed.clear();
    this.#folders.set(parent, this.#tick());
  }

  #handle(fd: number): Handle {
    const handle = this.#open[fd - FIRST_FD];
    if (handle === undefined) throw systemError('EBADF', `descriptor ${fd}`);
    return handle;
  }

  open(file: string, flags: 'r' | 'r+' | 'wx' | 'a+'): number {
    let inode = this.#files.get(file);
    if (inode === undefined && this.#folders.has(file)) {
      if (flags !== 'r') throw systemError('EISDIR', file);
      inode = { bytes: NO_BYTES, ino: 0, nlink: 1, mtimeMs: 0 };
    }
    if (inode !== undefined && flags === 'wx') throw systemError('EEXIST', file);
    if (inode === undefined) {
      if (flags === 'r' || flags === 'r+') throw systemError('ENOENT', file);
      this.#touchParent(file);
      inode = this.#inode(Buffer.alloc(0));
      this.#files.set(file, inode);
    }
    let free = 0;
    while (this.#open[free] !== undefined) free += 1;
    this.#open[free] = { inode, path: file, isWritable: flags !== 'r' };
    return free + FIRST_FD;
  }

  close(fd: number): void {
    this.#handle(fd);
    this.#open[fd - FIRST_FD] = undefined;
  }

  read(fd: number, into: Uint8Array, position: number): number {
    const part = this.#handle(fd).inode.bytes.subarray(position, position + into.length);
    into.set(part);
    return part.length;
  }

  write(fd: number, bytes: Uint8Array, position: number): number {
    const { inode, isWritable } = this.#handle(fd);
    if (!isWritable) throw systemError('EBADF', `descriptor ${fd} is for reading`);
    const grown = Buffer.alloc(Math.max(inode.bytes.length, position + bytes.length));
    grown.set(inode.bytes);
    grown.set(bytes, position);
    inode.bytes = grown;
    inode.mtimeMs = this.#tick();
    return bytes.length;
  }

  truncate(fd: number, size: number): void {
    const { inode } = this.#handle(fd);
    const cut = Buffer.alloc(size);
    cut.set(inode.bytes.subarray(0, size));
    inode.bytes = cut;
    inode.mtimeMs = this.#tick();
  }

  datasync(fd: number): void {
    this.#handle(fd);
  }

  syncDir(folder: string): void {
    if (!this.#folders.has(folder)) throw systemError('ENOENT', folder);
  }

  rename(from: string, to: string): void {
    const inode = this.#files.get(from);
    if (inode === undefined) throw systemError('ENOENT', from);
    if (this.#folders.has(to)) throw systemError('EISDIR', to);
    this.#touchParent(to);
    this.#touchParent(from);
    const replaced = this.#files.get(to);
    if (replaced !== undefined && replaced !== inode) replaced.nlink -= 1;
    this.#files.delete(from);
    this.#files.set(to, inode);
  }

  unlink(file: string): void {
    const inode = this.#files.get(file);
    if (inode === undefined) throw systemError('ENOENT', file);
    inode.nlink -= 1;
    this.#files.delete(file);
    this.#touchParent(file);
  }

  mkdir(folder: string): void {
    if (this.#folders.has(folder) || this.#files.has(folder)) throw systemError('EEXIST', folder);
    this.#touchParent(folder);
    this.#folders.set(folder, this.#tick());
  }

  readdir(folder: string): string[] {
    if (this.#files.has(folder)) throw systemError('ENOTDIR', folder);
    if (!this.#folders.has(folder)) throw systemError('ENOENT', folder);
    let names = this.#listed.get(folder);
    if (names === undefined) {
      const all = [...this.#files.keys(), ...this.#folders.keys()];
      names = all
        .filter((one) => one !== folder && path.posix.dirname(one) === folder)
        .map((one) => path.posix.basename(one));
      this.#listed.set(folder, names);
    }
    return [...names];
  }

  stat(file: string): FileStat {
    const stat = this.statIfThere(file);
    if (stat === undefined) throw systemError('ENOENT', file);
    return stat;
  }

  statIfThere(file: string): FileStat | undefined {
    const inode = this.#files.get(file);
    if (inode !== undefined) return statOf(inode, true);
    const mtimeMs = this.#folders.get(file);
    return mtimeMs === undefined
      ? undefined
      : statOf({ bytes: NO_BYTES, ino: 0, nlink: 2, mtimeMs }, false);
  }

  fstat(fd: number): FileStat {
    const { inode, path: file } = this.#handle(fd);
    return statOf(inode, !this.#folders.has(file));
  }
}

const statOf = ({ bytes, ino, nlink, mtimeMs }: Inode, isFile: boolean): FileStat => ({
  size: bytes.length,
  isFile,
  isDirectory: !isFile,
  isSymbolicLink: false,
  mtimeMs,
  ino,
  mode: isFile ? 0o100600 : 0o040700,
  nlink,
});

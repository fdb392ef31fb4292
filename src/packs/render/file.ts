import { realpathSync } from 'node:fs';
import path from 'node:path';
import { errno, unlessRefused } from '../../platform/errors.ts';
import { readFile } from '../../platform/files.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { isOutside } from '../../platform/inside.ts';
import type { Reason } from './pack.ts';
import type { DeniedBy, Rules } from './sensitive.ts';

/** Larger files are no text that an agent should read at once. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** Where files come from, and which ones may be read. */
export interface Ground extends Rules {
  root: string;
  fs: FileSystem;
}

export interface Access {
  allowSensitive: boolean;
  /** The walk found it: a regular file, and no link. */
  isFound: boolean;
}

/** The bytes of a file, by its path from the project's folder on, or why not. */
export type ReadFile = (name: string, access: Access) => Buffer | Reason;

/** Files as they were at a point of the past, in place of those on the disk. */
export interface Past {
  names: readonly string[];
  /** @param today what the disk has, and which rules hold */
  read(today: ReadFile): ReadFile;
  /** 0 where that is not known. */
  sizeOf(name: string): number;
}

export function fileReader(ground: Ground, deniedBy: DeniedBy): ReadFile {
  const top = realpathSync.native(ground.dir);
  const realName = (file: string): string => path.relative(top, file).split(path.sep).join('/');
  /** The folder of a file as it really is; undefined outside of the project. */
  const parentOf = (name: string): { dir: string; name: string } | undefined => {
    const dir = realpathSync.native(path.join(ground.dir, path.posix.dirname(name)));
    return isOutside(top, dir) ? undefined : { dir, name: realName(dir) };
  };
  return (name, { allowSensitive, isFound }) => {
    const isDenied = (one: string): boolean => !allowSensitive && deniedBy(one) !== undefined;
    if (isDenied(name)) return 'denied';
    try {
      if (isFound) return readFile(ground.fs, `${top}/${name}`, FILE_BYTES_MAX);
      const parent = parentOf(name);
      if (parent === undefined) return 'outside';
      const base = path.posix.basename(name);
      let file = path.join(parent.dir, base);
      let real = path.posix.join(parent.name, base);
      let stat = ground.fs.statIfThere(file);
      if (stat?.isSymbolicLink === true) {
        file = realpathSync.native(file);
        if (isOutside(top, file)) return 'outside';
        real = realName(file);
        stat = ground.fs.statIfThere(file);
      }
      if (stat === undefined) return 'missing';
      if (isDenied(real)) return 'denied';
      // Before it is opened: what opening does to a device or a pipe is not known.
      if (!stat.isFile) return 'not_a_file';
      return readFile(ground.fs, file, FILE_BYTES_MAX);
    } catch (error) {
      return reasonOf(error);
    }
  };
}

const REASONS: Readonly<Record<string, Reason>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EISDIR: 'not_a_file',
  EFBIG: 'too_big',
};

function reasonOf(error: unknown): Reason {
  const code = errno(error);
  if (code === undefined) throw error;
  return REASONS[code] ?? 'unreadable';
}

/** What is known of a size without reading; 0 where nothing is there. */
export const sizeOf = ({ fs, dir }: Ground, name: string): number =>
  unlessRefused(() => fs.statIfThere(path.join(dir, name))?.size ?? 0, 0);

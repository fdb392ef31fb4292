import { errno } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { FileStat, FileSystem } from '../platform/fs.ts';
import type { KnownFolders } from './known-folders.ts';

export interface FolderSize {
  bytes: number;
  files: number;
  /** Time of the newest file, whole milliseconds since the epoch. */
  newest: number | null;
}

/** A larger folder is not measured completely: status must stay quick. */
export const ENTRIES_MAX = 200_000;

export type Look = (path: string) => FileStat | undefined;

/** Known results. */
interface Before {
  look?: Look;
  folders?: KnownFolders;
}

const none = (): FolderSize => ({ bytes: 0, files: 0, newest: null });

function add(to: FolderSize, { bytes, files, newest }: FolderSize): void {
  to.bytes += bytes;
  to.files += files;
  if (newest !== null) to.newest = Math.max(to.newest ?? 0, newest);
}

/** The size of a folder's files, recursively. Links are counted, not followed. */
export function folderSize(fs: FileSystem, folder: string, before: Before = {}): FolderSize {
  const { look = fs.statIfThere, folders } = before;
  const all = none();
  const waiting: [path: string, stat: FileStat | undefined][] = [[folder, statOf(look, folder)]];
  let left = ENTRIES_MAX;
  const addFile = (to: FolderSize, { size, mtimeMs }: FileStat) =>
    add(to, { bytes: size, files: 1, newest: Math.floor(mtimeMs) });
  while (waiting.length > 0 && left > 0) {
    const [path, stat] = waiting.pop()!;
    left -= 1;
    if (stat === undefined) continue;
    if (!stat.isDirectory) {
      addFile(all, stat);
      continue;
    }
    const known = folders?.sizeOf(path, stat);
    if (known !== undefined) {
      add(all, known);
      continue;
    }
    const own = none();
    let isFilesAlone = true;
    for (const name of namesIn(fs, path)) {
      const one = left > 0 ? statOf(look, `${path}/${name}`) : undefined;
      if (one === undefined || one.isDirectory) isFilesAlone = false;
      if (one?.isDirectory === true) waiting.push([`${path}/${name}`, one]);
      else left -= 1;
      if (one?.isDirectory === false) addFile(own, one);
    }
    add(all, own);
    if (isFilesAlone) folders?.note(path, stat, own);
  }
  return all;
}

/**
 * The size of each entry of a folder, by path, and of all together.
 * @param apart a folder in it whose entries are measured instead of itself
 */
export function sizesIn(
  fs: FileSystem,
  folder: string,
  apart: string,
  before: Before = {},
): {
  all: FolderSize;
  of(path: string): FolderSize;
  newest(of: (path: string) => boolean): number;
} {
  const { look = fs.statIfThere } = before;
  const all = none();
  const sizes = new Map<string, FolderSize>();
  const inside = (path: string) =>
    statOf(look, path)?.isDirectory === true
      ? namesIn(fs, path).map((name) => `${path}/${name}`)
      : [path];
  for (const path of inside(folder).flatMap((one) => (one === apart ? inside(one) : [one]))) {
    const size = folderSize(fs, path, before);
    sizes.set(path, size);
    add(all, size);
  }
  const newest = (of: (path: string) => boolean) =>
    Math.max(0, ...[...sizes].map(([path, size]) => (of(path) ? (size.newest ?? 0) : 0)));
  return { all, of: (path) => sizes.get(path) ?? none(), newest };
}

/** Undefined also for what cannot be read: it is not counted. */
function statOf(look: Look, path: string): FileStat | undefined {
  try {
    return look(path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

function namesIn(fs: FileSystem, path: string): string[] {
  try {
    return readdirIfThere(fs, path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return [];
  }
}

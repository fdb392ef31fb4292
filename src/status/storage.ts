import { errno } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { FileStat, FileSystem } from '../platform/fs.ts';

export interface FolderSize {
  bytes: number;
  files: number;
  /** When the newest file was written, whole milliseconds since the epoch; null when there is none. */
  newest: number | null;
}

/** A folder with more entries is not measured to the end: status must stay cheap. */
export const ENTRIES_MAX = 200_000;

/** As `FileSystem.statIfThere`. */
export type Look = (path: string) => FileStat | undefined;

/**
 * What the files in a folder take, those of its folders included. Links are counted, not followed.
 * @param look for who has looked at some of them before
 */
export function folderSize(
  fs: FileSystem,
  folder: string,
  look: Look = fs.statIfThere,
): FolderSize {
  const size: FolderSize = { bytes: 0, files: 0, newest: null };
  const waiting = [folder];
  for (let left = ENTRIES_MAX; waiting.length > 0 && left > 0; left -= 1) {
    const path = waiting.pop()!;
    const stat = statOf(look, path);
    if (stat === undefined) continue;
    if (stat.isDirectory) {
      for (const name of namesIn(fs, path)) waiting.push(`${path}/${name}`);
      continue;
    }
    size.bytes += stat.size;
    size.files += 1;
    size.newest = Math.max(size.newest ?? 0, Math.floor(stat.mtimeMs));
  }
  return size;
}

/**
 * The same of each that is in a folder, by path; and of all of them.
 * @param apart a folder in it, of which each that is in there is measured in its place
 */
export function sizesIn(
  fs: FileSystem,
  folder: string,
  apart: string,
  look: Look = fs.statIfThere,
): {
  all: FolderSize;
  of(path: string): FolderSize;
  newest(of: (path: string) => boolean): number;
} {
  const none = (): FolderSize => ({ bytes: 0, files: 0, newest: null });
  const all = none();
  const sizes = new Map<string, FolderSize>();
  const inside = (path: string) =>
    statOf(look, path)?.isDirectory === true
      ? namesIn(fs, path).map((name) => `${path}/${name}`)
      : [path];
  for (const path of inside(folder).flatMap((one) => (one === apart ? inside(one) : [one]))) {
    const size = folderSize(fs, path, look);
    sizes.set(path, size);
    all.bytes += size.bytes;
    all.files += size.files;
    if (size.newest !== null) all.newest = Math.max(all.newest ?? 0, size.newest);
  }
  const newest = (of: (path: string) => boolean) =>
    Math.max(0, ...[...sizes].map(([path, size]) => (of(path) ? (size.newest ?? 0) : 0)));
  return { all, of: (path) => sizes.get(path) ?? none(), newest };
}

/** Undefined also for what is not ours to look at: it is not counted. */
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

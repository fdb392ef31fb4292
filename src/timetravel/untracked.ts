import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { contentHash, plainText } from '../projections/file-text.ts';
import { isBinary, SNIFFED_BYTES } from './content-on-disk.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { WalkedFile } from './disk-walk.ts';

/** A file that is gone, with the text that the journal last saw in it. */
export interface Missing {
  path: string;
  text: string;
}

/**
 * Where files that are gone went: each to a file that no tool touched and that has the same content. Of several the one of
 * the same name is taken.
 * @returns where each is now, by the old path
 */
export function findMoved(
  project: Project,
  missing: readonly Missing[],
  untracked: readonly WalkedFile[],
  budget: DiskBudget,
): Map<string, WalkedFile> {
  const moved = new Map<string, WalkedFile>();
  const taken = new Set<string>();
  const hashes = new Map<string, string | undefined>();
  const hashOf = (file: WalkedFile) => {
    if (!hashes.has(file.name)) hashes.set(file.name, hashOnDisk(project, file, budget));
    return hashes.get(file.name);
  };
  for (const { path: old, text } of missing) {
    if (plainText(text).trim() === '') continue; // every empty file is like it
    const wanted = contentHash(text);
    const alike = untracked.filter((file) => !taken.has(file.name) && hasSizeOf(file, text));
    const isNamesake = ({ name }: WalkedFile) => path.basename(name) === path.basename(old);
    const found = [...alike.filter(isNamesake), ...alike.filter((one) => !isNamesake(one))].find(
      (file) => hashOf(file) === wanted,
    );
    if (found === undefined) continue;
    taken.add(found.name);
    moved.set(old, found);
  }
  return moved;
}

/** With what the client's tools change on the way: a byte order mark, line ends, the last one. */
function hasSizeOf({ stat }: WalkedFile, text: string): boolean {
  const plain = plainText(text);
  const bytes = Buffer.byteLength(plain);
  return stat.size >= bytes - 1 && stat.size <= bytes + 3 + plain.split('\n').length + 1;
}

/** Undefined of what is no text, or cannot be read within the budget. */
function hashOnDisk(
  project: Project,
  { name, stat }: WalkedFile,
  budget: DiskBudget,
): string | undefined {
  if (!budget.mayRead(stat.size)) return undefined;
  try {
    const bytes = readFile(project.ports.fs, path.join(project.dir, name), stat.size);
    return isUtf8(bytes) ? contentHash(bytes.toString('utf8')) : undefined;
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Files that were made since a time, the newest last. By when they came to be: a tool that writes a file anew under its
 * name, as git and some editors do, makes it a new one, too.
 * @param since milliseconds since the epoch
 */
export function madeSince(untracked: readonly WalkedFile[], since: number): WalkedFile[] {
  return untracked
    .filter(({ stat }) => madeAt(stat) > since)
    .sort((a, b) => madeAt(a.stat) - madeAt(b.stat));
}

export const madeAt = ({ bornMs, mtimeMs }: WalkedFile['stat']): number =>
  bornMs !== undefined && bornMs > 0 ? bornMs : mtimeMs;

export function isBinaryOnDisk(
  { ports, dir }: Project,
  { name }: WalkedFile,
  budget: DiskBudget,
): boolean {
  if (!budget.mayRead(SNIFFED_BYTES)) return false;
  let fd: number | undefined;
  try {
    fd = ports.fs.open(path.join(dir, name), 'r');
    if (!ports.fs.fstat(fd).isFile) return false;
    const bytes = new Uint8Array(SNIFFED_BYTES);
    return isBinary(bytes.subarray(0, ports.fs.read(fd, bytes, 0)));
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return false;
  } finally {
    if (fd !== undefined) ports.fs.close(fd);
  }
}

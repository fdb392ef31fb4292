import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { contentHash, plainText } from '../projections/file-text.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { WalkedFile } from './disk-walk.ts';
import { isBinary, SNIFFED_BYTES } from './file-on-disk.ts';

export interface Missing {
  path: string;
  text: string;
}

/** Finds where missing files were moved: unused files with the same content, preferably of the same name. By old path. */
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
    if (plainText(text).trim() === '') continue; // all empty files are alike
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

/** Allows for what the client's tools change: byte order mark and line ends. */
function hasSizeOf({ stat }: WalkedFile, text: string): boolean {
  const plain = plainText(text);
  const bytes = Buffer.byteLength(plain);
  return stat.size >= bytes - 1 && stat.size <= bytes + 3 + plain.split('\n').length + 1;
}

/** Undefined when it is no text, or cannot be read within the budget. */
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

/** Files created after a time (milliseconds since the epoch), newest last. Replacing a file, as git does, creates it anew. */
export function madeSince(untracked: readonly WalkedFile[], since: number): WalkedFile[] {
  return untracked
    .filter(({ stat }) => madeAt(stat) > since)
    .sort((a, b) => madeAt(a.stat) - madeAt(b.stat));
}

const madeAt = ({ bornMs, mtimeMs }: WalkedFile['stat']): number =>
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

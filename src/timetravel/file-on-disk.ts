import { isUtf8 } from 'node:buffer';
import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import { type ContentName, contentName, plainText } from '../projections/file-text.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { FileVersion } from './tracked-files.ts';

/** `unknown`: the file exists, but the journal does not know its content. */
export type KnownStatus = 'unchanged' | 'changed' | 'deleted' | 'unknown';

export interface OnDisk {
  status: KnownStatus;
  why?: string;
  text?: string;
  binary?: true;
  /** Target of a link in its place. */
  link?: string;
  /** Current content of a changed file. */
  disk?: ContentName & { mtimeMs: number };
}

/** Larger files are not text that file tools read or write whole. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;

const unknown = (why: string): OnDisk => ({ status: 'unknown', why });

/**
 * @param record its path comes from a tool call, so it is not trusted
 * @param version its content, unless a merge decided otherwise
 */
export function compareWithDisk(
  project: Project,
  record: Pick<FileRecord, 'path' | 'merged'>,
  version: FileVersion | undefined,
  budget: DiskBudget,
): OnDisk {
  const recorded = record.path;
  const dir = realpathSync(project.dir);
  const file = path.resolve(project.dir, recorded);
  // Checked before the disk is touched: a path can name another machine.
  if (isOutside(project.dir, file) && isOutside(dir, file)) {
    return unknown('it is outside of the project');
  }
  try {
    const real = realpathSync(file);
    if (isOutside(dir, real)) return unknown('a link leads outside of the project');
    const { size, mtimeMs } = project.ports.fs.stat(real);
    if (size <= FILE_BYTES_MAX && !budget.mayRead(size)) return unknown('a limit was met');
    const bytes = readFile(project.ports.fs, real, FILE_BYTES_MAX);
    const found = isByDisk(record)
      ? compareNames(bytes, record.merged.hash)
      : compare(bytes, version);
    if (found.status !== 'changed') return found;
    const isLink = project.ports.fs.stat(file).isSymbolicLink;
    const link = isLink ? { link: readlinkSync(file) } : {};
    return { ...found, ...link, disk: { ...nameOf(bytes), mtimeMs } };
  } catch (error) {
    const found = notRead(error);
    // A merge already accepted that the file is gone.
    const isKnown = isByDisk(record) && record.merged.hash === null;
    return found.status === 'deleted' && isKnown ? { status: 'unchanged' } : found;
  }
}

type ByDisk = { merged: NonNullable<FileRecord['merged']> };
const isByDisk = (record: Pick<FileRecord, 'merged'>): record is ByDisk =>
  record.merged?.believed === 'disk';

/** Compares with the disk's content at the time of a merge, of which only the hash is known. */
function compareNames(bytes: Buffer, hash: string | null): OnDisk {
  if (nameOf(bytes).hash === hash) return { status: 'unchanged' };
  return isBinary(bytes) ? { status: 'changed', binary: true } : { status: 'changed' };
}

function notRead(error: unknown): OnDisk {
  const name = errno(error);
  if (name === undefined) throw error;
  if (name === 'ENOENT' || name === 'ENOTDIR') return { status: 'deleted' };
  if (name === 'EFBIG') return unknown(`it is larger than ${FILE_BYTES_MAX} bytes`);
  if (name === 'EISDIR') return unknown('it is not a file any more');
  return unknown(`it cannot be read (${name})`);
}

function compare(bytes: Uint8Array, version: FileVersion | undefined): OnDisk {
  if (isBinary(bytes)) {
    const wasText = version?.text !== undefined && !version.text.includes('\0');
    return wasText ? { status: 'changed', binary: true } : unknown('it is a binary file');
  }
  if (version === undefined) return unknown('the journal does not have what was in it');
  if (version.why !== undefined) return unknown(version.why);
  if (!isUtf8(bytes)) return unknown('it is not UTF-8 text');
  const text = Buffer.from(bytes).toString('utf8');
  if (plain(text, version) === plain(version.text, version)) return { status: 'unchanged' };
  return { status: 'changed', text };
}

/** Ignores what the client's tools change. */
function plain(text: string, { isRead }: FileVersion): string {
  const lines = plainText(text);
  return isRead === true ? lines.replace(/\n$/, '') : lines;
}

/** As in git: a NUL byte near the start means binary. */
export const SNIFFED_BYTES = 8000;

export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SNIFFED_BYTES).includes(0);

/** Text is named without what the client's tools change. */
export const nameOf = (bytes: Buffer): ContentName =>
  isUtf8(bytes) && !isBinary(bytes)
    ? contentName(bytes.toString('utf8'))
    : { hash: sha256(bytes).toString('hex'), bytes: bytes.length };

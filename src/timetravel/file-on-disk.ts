import { isUtf8 } from 'node:buffer';
import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import { type ContentName, plainText } from '../projections/file-text.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import { isBinary, nameOf } from './content-on-disk.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { FileVersion } from './file-versions.ts';

/** `unknown`: it is there, and the journal cannot say what was in it. */
export type KnownStatus = 'unchanged' | 'changed' | 'deleted' | 'unknown';

export interface OnDisk {
  status: KnownStatus;
  /** Why the status is unknown. */
  why?: string;
  /** What is in it, of a text file that changed. */
  text?: string;
  /** It is no text any more. */
  binary?: true;
  /** Where the link leads that is in its place, of a file that changed. */
  link?: string;
  /** Of what is on disk, of a file that changed. */
  disk?: ContentName & { mtimeMs: number };
}

/** A file beyond this is not text that an agent's file tools wrote or read whole. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;

const unknown = (why: string): OnDisk => ({ status: 'unknown', why });

/**
 * @param record its path is as the tool call had it: it comes from a journal, so it is not trusted
 * @param version its text, where no merge has decided otherwise since
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
  // Decided before the disk is asked: a path can name another machine.
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
    // Decided already: there is no such file.
    const isKnown = isByDisk(record) && record.merged.hash === null;
    return found.status === 'deleted' && isKnown ? { status: 'unchanged' } : found;
  }
}

type ByDisk = { merged: NonNullable<FileRecord['merged']> };
const isByDisk = (record: Pick<FileRecord, 'merged'>): record is ByDisk =>
  record.merged?.believed === 'disk';

/** Against what was on disk when the disk was believed: of that only the name is kept. */
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

/** None of what the client's tools change on the way is a change of the file. */
function plain(text: string, { isRead }: FileVersion): string {
  const lines = plainText(text);
  return isRead === true ? lines.replace(/\n$/, '') : lines;
}

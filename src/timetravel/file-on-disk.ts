import { isUtf8 } from 'node:buffer';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import type { FileVersion } from './file-versions.ts';

/** `unknown`: it is there, and the journal cannot say what was in it. */
export type FileStatus = 'unchanged' | 'changed' | 'deleted' | 'unknown';

export interface FileOnDisk {
  path: string;
  status: FileStatus;
  /** Of the event in which the journal last saw the file. */
  seq: number;
  at: number;
  /** Why the status is unknown. */
  why?: string;
}

/** A file beyond this is not text that an agent's file tools wrote or read whole. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;

type Found = Pick<FileOnDisk, 'status' | 'why'>;
const unknown = (why: string): Found => ({ status: 'unknown', why });

/** @param recorded the path as the tool call had it: it comes from a journal, so it is not trusted */
export function compareWithDisk(
  project: Project,
  recorded: string,
  version: FileVersion | undefined,
): Found {
  const dir = realpathSync(project.dir);
  const file = path.resolve(project.dir, recorded);
  // Decided before the disk is asked: a path can name another machine.
  if (isOutside(project.dir, file) && isOutside(dir, file)) {
    return unknown('it is outside of the project');
  }
  try {
    if (isOutside(dir, realpathSync(file))) return unknown('a link leads outside of the project');
    const bytes = readFile(project.ports.fs, realpathSync(file), FILE_BYTES_MAX);
    return compare(bytes, version);
  } catch (error) {
    return notRead(error);
  }
}

function notRead(error: unknown): Found {
  const name = errno(error);
  if (name === undefined) throw error;
  if (name === 'ENOENT' || name === 'ENOTDIR') return { status: 'deleted' };
  if (name === 'EFBIG') return unknown(`it is larger than ${FILE_BYTES_MAX} bytes`);
  if (name === 'EISDIR') return unknown('it is not a file any more');
  return unknown(`it cannot be read (${name})`);
}

function compare(bytes: Uint8Array, version: FileVersion | undefined): Found {
  if (version === undefined) return unknown('the journal does not have what was in it');
  if (version.why !== undefined) return unknown(version.why);
  if (!isUtf8(bytes)) return unknown('it is not UTF-8 text');
  const onDisk = plain(Buffer.from(bytes).toString('utf8'), version.isRead);
  return { status: onDisk === plain(version.text, version.isRead) ? 'unchanged' : 'changed' };
}

/**
 * The client's tools take and give texts without a byte order mark and with plain line ends, whatever the file has;
 * what they read may lack the last line end. None of these is a change of the file.
 */
function plain(text: string, isRead: boolean): string {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');
  return isRead ? lines.replace(/\n$/, '') : lines;
}

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Describe, TextFinding } from './finding.ts';
import { scanChunks } from './scan-chunks.ts';

export interface FileFinding extends TextFinding {
  /** As it was given, and below a folder that was given. */
  file: string;
}

/** A file that was not searched. */
export interface Skipped {
  file: string;
  why: 'binary' | 'link' | 'special' | 'unreadable';
}

/** The text of a file that was searched to its end: for whoever wants to search it another way. */
export interface Searched {
  file: string;
  text: string;
}

/** Texts longer than this are not handed on, UTF-16 units: what is searched may be larger than memory. */
export const SEARCHED_CHARS_MAX = 1024 * 1024;

const READ_BYTES = 256 * 1024;
/** A file that has a zero byte this early is no text: what git looks at, too. */
const BINARY_BYTES = 8000;
/** Folders inside each other; file systems allow paths of 4,096 bytes. */
const DEPTH_MAX = 256;

/**
 * Searches a file, or every file of a folder, in the order of their names. Links are not followed.
 * @throws Ben10Error USAGE when there is no such file or folder
 */
export function* scanPath(
  given: string,
  cwd: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  const file = path.resolve(cwd, given);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new Ben10Error('USAGE', `there is no file or folder "${given}"`, {
      next: 'Give files, folders, or - for what is piped in.',
    });
  }
  yield* visit(file, given, options, describe, 0);
}

function* visit(
  file: string,
  shown: string,
  options: RedactionOptions,
  describe: Describe,
  depth: number,
): Generator<FileFinding | Skipped | Searched> {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return; // removed meanwhile
  if (stat.isSymbolicLink()) yield { file: shown, why: 'link' };
  else if (stat.isDirectory()) {
    const names = depth < DEPTH_MAX ? namesIn(file) : undefined;
    if (names === undefined) yield { file: shown, why: 'unreadable' };
    for (const name of names ?? [])
      yield* visit(path.join(file, name), path.join(shown, name), options, describe, depth + 1);
  } else if (stat.isFile()) yield* scanFile(file, shown, options, describe);
  else yield { file: shown, why: 'special' };
}

function namesIn(dir: string): string[] | undefined {
  try {
    return readdirSync(dir).sort();
  } catch {
    return undefined;
  }
}

function* scanFile(
  file: string,
  shown: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  let fd: number;
  try {
    // A link that took its place meanwhile is not followed, and a pipe not waited for.
    fd = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
  } catch {
    yield { file: shown, why: 'unreadable' };
    return;
  }
  try {
    if (!fstatSync(fd).isFile()) yield { file: shown, why: 'special' };
    else yield* scanOpen(fd, shown, options, describe);
  } catch (error) {
    if ((error as { syscall?: string }).syscall !== 'read') throw error;
    yield { file: shown, why: 'unreadable' };
  } finally {
    closeSync(fd);
  }
}

/** What an open file, a pipe or a terminal still holds. */
export function* scanOpen(
  fd: number,
  shown: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  const first = Buffer.allocUnsafe(READ_BYTES);
  const bytes = first.subarray(0, readSync(fd, first, 0, READ_BYTES, null));
  if (bytes.subarray(0, BINARY_BYTES).includes(0)) {
    yield { file: shown, why: 'binary' };
    return;
  }
  let text: string | undefined = '';
  const kept = function* (chunks: Iterable<string>): Generator<string> {
    for (const chunk of chunks) {
      text =
        (text ?? '').length + chunk.length > SEARCHED_CHARS_MAX ? undefined : text?.concat(chunk);
      yield chunk;
    }
  };
  for (const finding of scanChunks(kept(textOf(fd, bytes)), options, describe))
    yield { ...finding, file: shown };
  if (text !== undefined && text !== '') yield { file: shown, text };
}

/** A file's text in pieces; bytes that are no UTF-8 become U+FFFD. */
function* textOf(fd: number, first: Buffer): Generator<string> {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let bytes = first;
  while (bytes.length > 0) {
    yield decoder.write(bytes);
    bytes = buffer.subarray(0, readSync(fd, buffer, 0, READ_BYTES, null));
  }
  yield decoder.end();
}

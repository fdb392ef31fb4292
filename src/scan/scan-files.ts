import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import { systemClock } from '../platform/clock.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import type { Describe, TextFinding } from './finding.ts';
import { scanChunks } from './scan-chunks.ts';

export interface FileFinding extends TextFinding {
  /** As given, or below a folder that was given. */
  file: string;
}

export interface Skipped {
  file: string;
  why: 'binary' | 'link' | 'special' | 'unreadable';
}

export interface Searched {
  file: string;
  /** Its text for another search; empty for a long one. */
  text: string;
}

/** Longer texts may not fit into memory. UTF-16 units. */
const SEARCHED_CHARS_MAX = 1024 * 1024;

const READ_BYTES = 256 * 1024;
/** A zero byte this early means binary, as in git. */
const BINARY_BYTES = 8000;
/** Limit for nested folders; paths have at most 4,096 bytes. */
const DEPTH_MAX = 256;

/** Searches a file, or a folder's files by name, without following links. @throws Ben10Error USAGE for anything else */
export function* scanPath(
  given: string,
  cwd: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  const file = path.resolve(cwd, given);
  const next = 'Give files, folders, or - for piped input.';
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined)
    throw new Ben10Error('USAGE', `there is no file or folder "${given}"`, { next });
  // A named pipe, as from `<(git diff)`, must not pass as clean.
  const target = statSync(file, { throwIfNoEntry: false });
  if (target !== undefined && !target.isFile() && !target.isDirectory())
    throw new Ben10Error('USAGE', `"${given}" is a pipe or a device, not a file or folder`, {
      next,
    });
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
    // If a link or a pipe replaced it meanwhile, neither follow nor wait.
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

export function* scanPiped(
  shown: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  try {
    yield* scanOpen(0, shown, options, describe);
  } catch (error) {
    // A folder, or closed.
    if ((error as { syscall?: string }).syscall !== 'read') throw error;
    yield { file: shown, why: 'unreadable' };
  }
}

function* scanOpen(
  fd: number,
  shown: string,
  options: RedactionOptions,
  describe: Describe,
): Generator<FileFinding | Skipped | Searched> {
  const first = Buffer.allocUnsafe(READ_BYTES);
  const bytes = first.subarray(0, read(fd, first));
  if (isBinary(bytes)) {
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
  yield { file: shown, text: text ?? '' };
}

/** Whether `scanPath` would find a secret in a file of this content. */
export function holdsSecret(bytes: Buffer, options: RedactionOptions): boolean {
  if (isBinary(bytes)) return false;
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  const pieces = function* (): Generator<string> {
    for (let at = 0; at < text.length; at += READ_BYTES) yield text.slice(at, at + READ_BYTES);
  };
  const found = scanChunks(pieces(), options, (rule, { length }) => {
    return { rule, length, digest: '', checksum: null };
  });
  return found.next().done !== true;
}

const isBinary = (bytes: Buffer): boolean =>
  encodingOf(bytes) === 'utf-8' && bytes.subarray(0, BINARY_BYTES).includes(0);

/** A text in pieces; invalid UTF-8 becomes U+FFFD, a byte order mark is dropped. */
function* textOf(fd: number, first: Buffer): Generator<string> {
  const decoder = new TextDecoder(encodingOf(first));
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  yield decoder.decode(first, { stream: true });
  for (let chars = read(fd, buffer); chars > 0; chars = read(fd, buffer))
    yield decoder.decode(buffer.subarray(0, chars), { stream: true });
  yield decoder.decode();
}

/** Windows programs write UTF-16, which is full of zero bytes. */
function encodingOf(bytes: Buffer): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Pause while a pipe is empty, ms. */
const PAUSE_MS = 5;

/** Number of bytes, 0 at the end. Node does not wait for pipes. */
function read(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, into, 0, into.length, null);
    } catch (error) {
      if (errno(error) === 'EOF') return 0; // how Windows ends a pipe
      if (errno(error) !== 'EAGAIN') throw error;
      systemClock.sleep(PAUSE_MS);
    }
  }
}

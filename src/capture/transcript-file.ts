import { errno } from '../platform/errors.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Hash64 } from '../platform/xxh64.ts';

/** One line of a transcript, as an object; undefined when it is not one. */
export interface TranscriptLine {
  /** Byte offset of its first byte. */
  pos: number;
  /** Byte offset behind its newline. */
  end: number;
  record: Record<string, unknown> | undefined;
}

/** A longer line is passed over and counted: no record of a client is anywhere near. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** How much before the cursor is compared, to tell a file that grew from one that was replaced. */
const TAIL_BYTES = 256;
const NEWLINE = 0x0a;

/** A transcript, opened for reading while its client may be writing on. */
export class TranscriptFile {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #fd: number;

  private constructor(fs: FileSystem, path: string, fd: number) {
    this.#fs = fs;
    this.path = path;
    this.#fd = fd;
  }

  /** Undefined when there is no such file, or it is not a plain one that we may read. */
  static open(fs: FileSystem, path: string): TranscriptFile | undefined {
    try {
      if (!fs.stat(path).isFile) return undefined;
      return new TranscriptFile(fs, path, fs.open(path, 'r'));
    } catch (error) {
      if (errno(error) !== undefined) return undefined;
      throw error;
    }
  }

  get size(): number {
    return this.#fs.fstat(this.#fd).size;
  }

  /** XXH64 of the bytes before `to`, hex. */
  tailBefore(to: number, xxh64: Hash64): string {
    const bytes = this.read(Math.max(0, to - TAIL_BYTES), to);
    return xxh64(bytes, BigInt(to)).toString(16).padStart(16, '0');
  }

  read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    return bytes.subarray(0, this.#fs.read(this.#fd, bytes, from));
  }

  /**
   * Whole lines from `from` on. A last line without its newline is still being written, and left for next time,
   * unless `whole` says that the file is finished and the line parses.
   */
  *lines(from: number, whole: boolean): Generator<TranscriptLine> {
    let start = from;
    let pending: Buffer = Buffer.alloc(0);
    let skipping = false;
    for (;;) {
      const chunk = this.read(start + pending.length, start + pending.length + READ_BYTES);
      if (chunk.length === 0) break;
      let buffer: Buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let cut = buffer.indexOf(NEWLINE); cut !== -1; cut = buffer.indexOf(NEWLINE)) {
        const end = start + cut + 1;
        const record = skipping ? undefined : parse(buffer.subarray(0, cut));
        skipping = false;
        if (cut > 0) yield { pos: start, end, record };
        start = end;
        buffer = buffer.subarray(cut + 1);
      }
      pending = buffer;
      if (pending.length > LINE_BYTES_MAX) {
        skipping = true;
        start += pending.length;
        pending = Buffer.alloc(0);
      }
    }
    if (!whole || pending.length === 0 || skipping) return;
    const record = parse(pending);
    if (record !== undefined) yield { pos: start, end: start + pending.length, record };
  }

  close(): void {
    this.#fs.close(this.#fd);
  }
}

function parse(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Half-written or damaged: the caller counts it.
  }
  return undefined;
}

import { unlessRefused } from '../platform/errors.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import { isObject, type Json, parseJson } from './json.ts';

/** A line of a transcript as an object; undefined if it is none. */
export interface TranscriptLine {
  /** Byte offset of its first byte. */
  pos: number;
  /** Byte offset after its newline. */
  end: number;
  record: Json | undefined;
  /** Set for stretches without a line: empty ones, or the rest of a line that is too long. */
  isNone?: true;
}

/** Longer lines are skipped and counted: no client writes any. */
export const LINE_BYTES_MAX = 64 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;
/** Bytes before the cursor that are compared, to tell a file that grew from one that was replaced. */
const TAIL_BYTES = 256;
const NEWLINE = 0x0a;

/** A transcript, read while its client may be writing. */
export class TranscriptFile {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #fd: number;

  private constructor(fs: FileSystem, path: string, fd: number) {
    this.#fs = fs;
    this.path = path;
    this.#fd = fd;
  }

  /** Undefined if there is no such file, or no plain one that we may read. */
  static open(fs: FileSystem, path: string): TranscriptFile | undefined {
    return unlessRefused(
      () => (fs.stat(path).isFile ? new TranscriptFile(fs, path, fs.open(path, 'r')) : undefined),
      undefined,
    );
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
   * Whole lines from `from` on; empty ones are skipped. A last line without a newline is left for the next reading,
   * unless `whole` says that the file is finished and the line parses. Stretches without lines are reported, too,
   * so that a caller can stop.
   */
  *lines(from: number, whole: boolean): Generator<TranscriptLine> {
    const line = new LineInWork();
    // One buffer for all reads: new memory costs more than reading.
    const room = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(1, this.size - from)));
    let pos = from;
    let isRest = false; // of a line whose beginning was too long
    for (let at = from; ; ) {
      const chunk = room.subarray(0, this.#fs.read(this.#fd, room, at));
      if (chunk.length === 0) break;
      let start = 0;
      let hasLine = false;
      for (let cut = chunk.indexOf(NEWLINE); cut !== -1; cut = chunk.indexOf(NEWLINE, start)) {
        if (cut > start) line.add(chunk.subarray(start, cut));
        start = cut + 1;
        const end = at + start;
        if (line.bytes > 0) yield isRest ? nothing(pos, end) : { pos, end, record: line.take() };
        if (isRest) line.leave();
        hasLine ||= end - pos > 1;
        isRest = false;
        pos = end;
      }
      line.keep(chunk.subarray(start));
      if (isRest || line.isTooLong) {
        const end = at + chunk.length;
        yield isRest ? nothing(pos, end) : { pos, end, record: undefined };
        line.leave();
        isRest = true;
        pos = end;
      } else if (!hasLine && pos > at) yield nothing(pos, pos);
      at += chunk.length;
    }
    const { bytes } = line;
    const record = whole ? line.take() : undefined;
    if (record !== undefined) yield { pos, end: pos + bytes, record };
  }

  close(): void {
    this.#fs.close(this.#fd);
  }
}

/** A line in pieces. */
class LineInWork {
  bytes = 0;
  #pieces: Buffer[] = [];

  get isTooLong(): boolean {
    return this.bytes > LINE_BYTES_MAX;
  }

  add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.isTooLong) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** The same for a piece in a buffer that is used again. */
  keep(piece: Buffer): void {
    this.add(this.bytes + piece.length > LINE_BYTES_MAX ? piece : Buffer.from(piece));
  }

  /** Its object, and on to the next line. Undefined if it is too long, or no object. */
  take(): Json | undefined {
    const pieces = this.#pieces;
    const { isTooLong } = this;
    this.leave();
    return isTooLong ? undefined : parse(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  }

  /** On to the next line. */
  leave(): void {
    this.bytes = 0;
    this.#pieces = [];
  }
}

const nothing = (pos: number, end: number): TranscriptLine => ({
  pos,
  end,
  record: undefined,
  isNone: true,
});

/** Undefined if it is half-written or damaged: the caller counts it. */
function parse(line: Buffer): Json | undefined {
  try {
    const value: unknown = parseJson(line.toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

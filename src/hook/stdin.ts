import { constants, fstatSync, readSync } from 'node:fs';
import { SEARCHED_CHARS } from '../capture/excerpt.ts';
import { privateState, TAG_CHARS_MAX } from '../capture/redaction/index.ts';
import { joined } from '../journal/format/bytes.ts';
import { systemClock } from '../platform/clock.ts';

/** Input is a few kilobytes; of more than this only the ends and the size are kept. */
export const STDIN_BYTES_MAX = 16 * 1024 * 1024;
/** How long to wait for more input. */
export const STDIN_SILENCE_MS = 2000;
/** Limit for all input: the client waits 5 s, and the event must still be written. */
export const STDIN_TOTAL_MS = 4000;
/** Of each end: as much as is searched for secrets, of which less is kept. */
const END_BYTES = SEARCHED_CHARS;
const READ_BYTES = 64 * 1024;
const PAUSE_MS = 0.2;

export interface Stdin {
  /** All input; its first bytes if it was too large. */
  bytes: Buffer;
  /** `tail`: its last bytes; `isPrivate`: they lie in a private passage that is not closed. */
  oversized?: { bytes: number; tail: Buffer; isPrivate: boolean };
}

interface PipeWrap {
  Pipe: new (kind: number) => { open(fd: number): number };
  constants: { SOCKET: number };
}

/**
 * Makes reads of stdin return at once, so that a deadline can be kept. Node's public way loads its streams, a third
 * of an empty process. If the binding is gone, reads block and the client's timeout is the deadline.
 */
function unblock(): unknown {
  if (process.platform === 'win32') return undefined;
  try {
    const { Pipe, constants } = (process as unknown as { binding(name: string): PipeWrap }).binding(
      'pipe_wrap',
    );
    const handle = new Pipe(constants.SOCKET);
    handle.open(0);
    return handle;
  } catch {
    return undefined;
  }
}

/** Collects input; beyond the limit only the ends. */
class Gathered {
  #chunks: Buffer[] = [];
  #total = 0;
  #beyond: Beyond | undefined;

  add(bytes: Buffer): void {
    this.#total += bytes.length;
    if (this.#total <= STDIN_BYTES_MAX) {
      this.#chunks.push(bytes);
      return;
    }
    if (this.#beyond === undefined) {
      const whole = Buffer.concat(this.#chunks);
      this.#beyond = new Beyond();
      this.#beyond.add(whole);
      this.#chunks = [Buffer.from(whole.subarray(0, END_BYTES))];
    }
    this.#beyond.add(bytes);
  }

  result(): Stdin {
    const bytes = joined(this.#chunks);
    if (this.#beyond === undefined) return { bytes };
    return { bytes, oversized: { bytes: this.#total, ...this.#beyond.result() } };
  }
}

/** The end of input that is not held, and whether it is private. No digest: it could confirm a guess. */
class Beyond {
  #tail = Buffer.alloc(0);
  /** Private passages that are not closed. */
  #open = 0;
  /** What may be the start of a tag. */
  #openTag = '';

  add(bytes: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-END_BYTES)]).subarray(-END_BYTES);
    const text = this.#openTag + bytes.toString('latin1');
    const at = text.lastIndexOf('<');
    const to = at === -1 || text.length - at > TAG_CHARS_MAX ? text.length : at;
    this.#open = privateState(text.slice(0, to), this.#open).open;
    this.#openTag = text.slice(to);
  }

  result(): { tail: Buffer; isPrivate: boolean } {
    const isPrivate = privateState(this.#openTag, this.#open).open > 0;
    return { tail: this.#tail, isPrivate };
  }
}

/** Reads stdin to its end, or until a limit of time. */
export function readStdin(silenceMs = STDIN_SILENCE_MS, totalMs = STDIN_TOTAL_MS): Stdin {
  const gathered = new Gathered();
  if ((fstatSync(0).mode & constants.S_IFMT) === constants.S_IFCHR) return gathered.result(); // a person at a keyboard
  const handle = unblock();
  const startedAt = runningMs();
  let quietSince = startedAt;
  while (runningMs() - startedAt <= totalMs) {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    const n = readSome(chunk);
    if (n === 0) break;
    if (n === undefined) {
      if (runningMs() - quietSince > silenceMs) break;
      systemClock.sleep(PAUSE_MS);
      continue;
    }
    quietSince = runningMs();
    gathered.add(chunk.subarray(0, n));
  }
  void handle; // held until here: a collected handle closes stdin
  return gathered.result();
}

/** Not the clock, which may be set back meanwhile. */
const runningMs = (): number => 1000 * process.uptime();

/** Undefined when there is nothing yet. */
function readSome(into: Buffer): number | undefined {
  try {
    return readSync(0, into, 0, into.length, null);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EAGAIN') return undefined;
    if (code === 'EOF') return 0; // how Windows ends a pipe
    throw error;
  }
}

import type { Hash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { nodeCrypto } from '../platform/node-crypto.ts';

/** What a client hands a hook is a few kilobytes; what is larger is kept as its ends, size and digest. */
export const STDIN_BYTES_MAX = 16 * 1024 * 1024;
/** A client that has not closed stdin by then is not going to; its own patience is 5 s. */
export const STDIN_DEADLINE_MS = 2000;
const END_BYTES = 4096;
const READ_BYTES = 64 * 1024;
const PAUSE_MS = 0.2;

export interface Stdin {
  /** All of it; the first and last bytes of it when it was too large. */
  bytes: Buffer;
  oversized?: { bytes: number; sha256: string; tail: string };
}

interface PipeWrap {
  Pipe: new (kind: number) => { open(fd: number): number };
  constants: { SOCKET: number };
}

/**
 * Lets reads of stdin return at once when there is nothing yet, so that a deadline can be kept. Node has no public
 * way to do that without loading its stream machinery, which costs a third of an empty process; where this one is
 * gone, reads block, and the client's own timeout is the deadline.
 */
function unblock(): unknown {
  if (process.platform === 'win32') return undefined;
  try {
    const bind = (process as unknown as { binding(name: string): PipeWrap }).binding;
    const { Pipe, constants } = bind('pipe_wrap');
    const handle = new Pipe(constants.SOCKET);
    handle.open(0);
    return handle;
  } catch {
    return undefined;
  }
}

/** Gathers what was read; beyond the limit only the ends and the digest. */
class Gathered {
  #chunks: Buffer[] = [];
  #total = 0;
  #digest: Hash | undefined;
  #tail = Buffer.alloc(0);

  add(bytes: Buffer): void {
    this.#total += bytes.length;
    if (this.#total <= STDIN_BYTES_MAX) {
      this.#chunks.push(bytes);
      return;
    }
    if (this.#digest === undefined) {
      const whole = Buffer.concat(this.#chunks);
      this.#digest = nodeCrypto().createHash('sha256').update(whole);
      this.#chunks = [Buffer.from(whole.subarray(0, END_BYTES))];
    }
    this.#digest.update(bytes);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes]).subarray(-END_BYTES));
  }

  result(): Stdin {
    const bytes = Buffer.concat(this.#chunks);
    if (this.#digest === undefined) return { bytes };
    const sha256 = this.#digest.digest('hex');
    return { bytes, oversized: { bytes: this.#total, sha256, tail: this.#tail.toString('utf8') } };
  }
}

/** Reads stdin to its end, or until nothing came for `deadlineMs`. */
export function readStdin(deadlineMs: number = STDIN_DEADLINE_MS): Stdin {
  const gathered = new Gathered();
  if (fstatSync(0).isCharacterDevice()) return gathered.result(); // a person at a keyboard
  const handle = unblock();
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let quietSince = Date.now();
  for (;;) {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    const n = readSome(chunk);
    if (n === 0) break;
    if (n === undefined) {
      if (Date.now() - quietSince > deadlineMs) break;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
      continue;
    }
    quietSince = Date.now();
    gathered.add(chunk.subarray(0, n));
  }
  void handle; // held until here: a collected handle closes stdin
  return gathered.result();
}

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

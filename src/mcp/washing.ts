import { randomFillSync } from 'node:crypto';
import type { Session } from 'node:inspector';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { placesOf } from '../capture/redaction/places.ts';
import { lz4Codec } from '../platform/codecs/lz4.ts';
import { wasmHashes } from '../platform/hashes/wasm.ts';
import { WASM_BYTES_MAX } from '../platform/sha256.ts';

/** Sizes of the pieces that memory is taken in, bytes: free places of each size are filled with the next smaller ones. */
const LARGE_PIECES = [64 * 1024, 16 * 1024, 4096, 2048, 1056];
/** Of each of these sizes, until so many rounds one after the other took memory that the process did not have before. */
const ROUND_BYTES = 1024 * 1024;
const GROWN_MAX = 3;
const ROUNDS_MAX = 128;
/** The C library keeps free places of up to this size by size, in steps of 16 bytes. */
const SMALL_BYTES_MAX = 1040;
const SMALL_STEP = 16;
const SMALL_PIECES = 1000;
/** 48 MB of lists, of 8 KB each: three times what the engine makes room for at once. */
const YOUNG_LISTS = 6000;
const YOUNG_LIST_FIELDS = 1024;
/** What was held through something else is free the next time only, and some is given back between two turns. */
const COLLECTIONS = 3;
/** Of the million bytes that a stack may take, more than half. */
const STACK_CALLS = 6000;
/** As large as a block of the packer can be. */
const LZ4_BLOCK_BYTES = 4 * 1024 * 1024;
/** Several times what the scanner looks at at once. */
const SCANNED_CHARS = 32 * 1024;

/**
 * As long as memory is washed: every object that lives moves to another page, so that the pages that it stood on are given
 * back; what a function that nobody runs just then knows of its last arguments goes; what is freed is overwritten. Not
 * `flush-baseline-code`: with it, set while a process runs, Node 20 crashed in 9 of 16 runs of some hundred collections, without it in none of 10.
 */
const THOROUGHLY = ['compact-on-every-full-gc', 'stress-flush-code', 'clear-free-memory'];

/**
 * What a thread of its own gives back, the C library keeps for that thread alone, where `washMemory` cannot reach it. Call
 * before anything is read.
 */
export function keepMemoryInReach(): void {
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
}

/**
 * Overwrites memory that this process has let go of: neither the JavaScript engine nor the C library does so by itself, and
 * what stood there can be read until it is used again. Takes half a second of a processor; a process grew from 171 to 381 MB over four of them.
 * Nobody promises that it reaches every byte.
 */
export async function washMemory(): Promise<void> {
  // Loaded when it is needed, which is rare.
  const { Session } = await import('node:inspector');
  for (const flag of THOROUGHLY) setFlagsFromString(`--${flag}`);
  overwriteScratch();
  for (let turn = 0; turn < COLLECTIONS; turn += 1) {
    collect(new Session());
    fillYoung();
    await nextTurn();
  }
  overwriteStack(STACK_CALLS);
  collect(new Session());
  takeAll();
  for (const flag of THOROUGHLY) setFlagsFromString(`--no-${flag}`);
  collect(new Session());
}

/** As when memory is nearly out, which the engine's own `gc` is not: no page is kept for the next time, with what stood on it. */
function collect(session: Session): void {
  session.connect();
  session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

/** What a call leaves on the stack stays there until others come as deep: short writes to a pipe stand on it as a whole. */
function overwriteStack(calls: number): number {
  return calls === 0 ? 0 : overwriteStack(calls - 1) + 1;
}

/** The engine makes objects in places that it keeps for that, and copies those that live on to others: all are written over. */
function fillYoung(): void {
  const lists: number[][] = [];
  for (let n = 0; n < YOUNG_LISTS; n += 1) lists.push(new Array(YOUNG_LIST_FIELDS).fill(n));
}

/** Takes free memory piece by piece, fills it with zeros, and gives it back. */
function takeAll(): void {
  const pieces: Buffer[] = [];
  // Not `alloc`: that passes over free places which the C library keeps at hand.
  const take = (bytes: number) => pieces.push(Buffer.allocUnsafeSlow(bytes).fill(0));
  for (const size of LARGE_PIECES) {
    for (let rounds = 0, grown = 0; rounds < ROUNDS_MAX && grown < GROWN_MAX; rounds += 1) {
      const before = process.memoryUsage.rss();
      for (let taken = 0; taken < ROUND_BYTES; taken += size) take(size);
      // What was free and had been written on is no memory more.
      grown = process.memoryUsage.rss() - before > ROUND_BYTES / 2 ? grown + 1 : 0;
    }
  }
  for (let size = SMALL_BYTES_MAX; size > 0; size -= SMALL_STEP) {
    for (let n = 0; n < SMALL_PIECES; n += 1) take(size);
  }
}

/** Memory that is kept for the next time, with what was worked on last: of WebAssembly, and of the packer. */
function overwriteScratch(): void {
  // What cannot be packed is copied; a repeat at its beginning, for what has none is not even that.
  const block = randomFillSync(Buffer.alloc(LZ4_BLOCK_BYTES));
  lz4Codec.compress(block.fill(0, 0, 64), 0);
  placesOf(' '.repeat(SCANNED_CHARS));
  wasmHashes()?.xxh64(new Uint8Array(WASM_BYTES_MAX), 0n);
}

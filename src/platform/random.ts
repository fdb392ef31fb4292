import { closeSync, openSync, readSync } from 'node:fs';
import { nodeCrypto } from './node-crypto.ts';

/** Unpredictable bytes: salts and ids depend on it. */
export interface Random {
  fill(bytes: Uint8Array): void;
}

/** What a hook needs of them many times over; who needs more can load `node:crypto` for it, and asks it less often. */
const POOL_BYTES = 512;
const NEXT_POOL_BYTES = 4096;

let pool: Buffer | undefined;

/** Of the kernel's own generator, where it is a file; empty elsewhere. */
function openPool(): Buffer {
  try {
    const fd = openSync('/dev/urandom', 'r');
    try {
      const bytes = Buffer.alloc(POOL_BYTES);
      return bytes.subarray(0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

export const systemRandom: Random = {
  fill(bytes) {
    pool ??= openPool();
    if (bytes.length > NEXT_POOL_BYTES) {
      nodeCrypto().randomFillSync(bytes);
      return;
    }
    if (bytes.length > pool.length)
      pool = nodeCrypto().randomFillSync(Buffer.alloc(NEXT_POOL_BYTES));
    bytes.set(pool.subarray(0, bytes.length));
    pool.fill(0, 0, bytes.length); // a salt is to be nowhere but where it was asked for
    pool = pool.subarray(bytes.length); // what was handed out is never handed out again
  },
};

/** Lower-case hex of `bytes` random bytes: names of temporary files. */
export function randomHex(random: Random, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  random.fill(buffer);
  return buffer.toString('hex');
}

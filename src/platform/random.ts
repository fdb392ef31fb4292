import { closeSync, openSync, readSync } from 'node:fs';
import { nodeCrypto } from './node-crypto.ts';

/** Cryptographically secure random bytes. */
export interface Random {
  fill(bytes: Uint8Array): void;
}

/** Enough for a hook many times over; processes that need more load `node:crypto`. */
const POOL_BYTES = 512;
const NEXT_POOL_BYTES = 4096;

let pool: Buffer | undefined;

/** From /dev/urandom; empty on systems without it. */
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
    pool.fill(0, 0, bytes.length); // leave no copy of a salt in memory
    pool = pool.subarray(bytes.length);
  },
};

export function randomHex(random: Random, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  random.fill(buffer);
  return buffer.toString('hex');
}

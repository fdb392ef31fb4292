import { randomFillSync } from 'node:crypto';

/** Unpredictable bytes: salts and ids depend on it. */
export interface Random {
  fill(bytes: Uint8Array): void;
}

export const systemRandom: Random = { fill: (bytes) => void randomFillSync(bytes) };

/** Lower-case hex of `bytes` random bytes: names of temporary files. */
export function randomHex(random: Random, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  random.fill(buffer);
  return buffer.toString('hex');
}

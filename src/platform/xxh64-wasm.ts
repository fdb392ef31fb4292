import xxhash from 'xxhash-wasm';
import type { Hash64 } from './xxh64.ts';

/** The WebAssembly XXH64: several times faster once it runs, 2 to 9 ms to get there. */
export async function loadXxh64(): Promise<Hash64> {
  const { h64Raw } = await xxhash();
  return (bytes, seed) => h64Raw(bytes, seed);
}

import xxhash from 'xxhash-wasm';
import { type Hash64, xxh64 } from './xxh64.ts';

/** Several times faster than `xxh64`, after 2 to 9 ms of loading. Without WebAssembly it falls back to `xxh64`. */
export async function loadXxh64(): Promise<Hash64> {
  try {
    const { h64Raw } = await xxhash();
    return (bytes, seed) => h64Raw(bytes, seed);
  } catch {
    return xxh64;
  }
}

import xxhash from 'xxhash-wasm';
import { type Hash64, xxh64 } from './xxh64.ts';

/**
 * The WebAssembly XXH64: several times faster once it runs, 2 to 9 ms to get there. Where there is none to be had (`--jitless`, a limit
 * on address space), the one of the hooks: what they record then has to be read, too.
 */
export async function loadXxh64(): Promise<Hash64> {
  try {
    const { h64Raw } = await xxhash();
    return (bytes, seed) => h64Raw(bytes, seed);
  } catch {
    return xxh64;
  }
}

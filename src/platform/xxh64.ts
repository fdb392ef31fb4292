import { plainXxh64 } from './hashes/plain-xxh64.ts';
import { wasmHashes } from './hashes/wasm.ts';

/** XXH64 of bytes, as one unsigned number of 64 bits. */
export type Hash64 = (bytes: Uint8Array, seed: bigint) => bigint;

/** Ready at once: what a hook needs. */
export const xxh64: Hash64 = (bytes, seed) =>
  wasmHashes()?.xxh64(bytes, seed) ?? plainXxh64(bytes, seed);

import { plainXxh64 } from './hashes/plain-xxh64.ts';
import { wasmHashes } from './hashes/wasm.ts';

export interface Hash64 {
  (bytes: Uint8Array, seed: bigint): bigint;
  /**
   * Whether XXH64 of `bytes` from `from` to `to`, seeded with `salt ^ place`, equals the value at `sum`. Undefined for bytes
   * that cannot be hashed in place.
   */
  holds?(
    bytes: Uint8Array,
    from: number,
    to: number,
    salt: bigint,
    place: number,
    sum: number,
  ): boolean | undefined;
}

/** Needs no loading, for hooks. */
export const xxh64: Hash64 = (bytes, seed) =>
  wasmHashes()?.xxh64(bytes, seed) ?? plainXxh64(bytes, seed);

import { plainXxh64 } from './hashes/plain-xxh64.ts';
import { wasmHashes } from './hashes/wasm.ts';

/** XXH64 of bytes, as one unsigned number of 64 bits. */
export interface Hash64 {
  (bytes: Uint8Array, seed: bigint): bigint;
  /**
   * Whether that of a stretch of the bytes, seeded with `salt ^ place`, is the sum stored at `sum`. There for bytes that stand where they can be
   * looked at without a copy of them; undefined for others.
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

/** Ready at once: what a hook needs. */
export const xxh64: Hash64 = (bytes, seed) =>
  wasmHashes()?.xxh64(bytes, seed) ?? plainXxh64(bytes, seed);

import { WasmHashes } from './hashes/wasm.ts';
import type { Hash64 } from './xxh64.ts';

/** Of the reading before: to make one takes as long as to verify a small journal. The collector may have it back in between. */
let before: WeakRef<WasmHashes> | undefined;

/**
 * Memory for bytes that are read and checked piece by piece, the same each time, and the hash that looks at them there: nothing is
 * copied, and no number of 64 bits is made for a checksum. What was read holds until memory is asked for again, by anybody: of two
 * readings the one has to end before the other begins.
 * @param xxh64 for other bytes
 * @returns undefined where there is no WebAssembly to be had
 */
export function summedRoom(
  xxh64: Hash64,
): { room: (bytes: number) => Buffer; xxh64: Hash64 } | undefined {
  // Not even one that was made before somebody switched it off.
  if ((globalThis as { WebAssembly?: unknown }).WebAssembly === undefined) return undefined;
  let hashes: WasmHashes;
  try {
    hashes = before?.deref() ?? new WasmHashes();
  } catch {
    return undefined;
  }
  before = new WeakRef(hashes);
  let given: Buffer | undefined;
  const room = (bytes: number) => {
    given = hashes.room(bytes);
    return given;
  };
  const holds: Hash64['holds'] = (bytes, from, to, salt, place, sum) =>
    bytes === given ? hashes.holds(from, to - from, salt, place, sum) : undefined;
  return { room, xxh64: Object.assign<Hash64, object>((...of) => xxh64(...of), { holds }) };
}

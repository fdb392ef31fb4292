import { WasmHashes } from './hashes/wasm.ts';
import type { Hash64 } from './xxh64.ts';

/** Reused, because allocating takes as long as verifying a small journal; the garbage collector may take it. */
let before: WeakRef<WasmHashes> | undefined;

/**
 * Memory into which files are read piece by piece, and a hash that checks checksums there without a copy or a bigint. Asking for
 * memory again overwrites what was read: only one reading may run at a time.
 * @param xxh64 for other bytes
 * @returns undefined without WebAssembly
 */
export function summedRoom(
  xxh64: Hash64,
): { room: (bytes: number) => Buffer; xxh64: Hash64 } | undefined {
  // Also if an instance was made before it was switched off.
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

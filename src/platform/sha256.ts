import { wasmHashes } from './hashes/wasm.ts';
import { nodeCrypto } from './node-crypto.ts';

/**
 * What a process digests in WebAssembly. OpenSSL is five times faster, and loading it takes as long as digesting this
 * much: a hook stays below, and whoever has more to do does not feel it.
 */
export const WASM_BYTES_MAX = 256 * 1024;

/** Parts of more bytes than this are not put together first: to copy them takes longer than to digest each. */
const COPIED_BYTES_MAX = 16 * 1024;

/** Where small parts are put together. */
let room: Buffer | undefined;

let digested = 0;

/** SHA-256 of the parts, one behind the other; 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  digested += bytes;
  const wasm = digested > WASM_BYTES_MAX ? null : wasmHashes();
  if (wasm !== null) return wasm.sha256(parts, bytes);
  if (parts.length === 1) return hashed(parts[0]!);
  if (bytes <= COPIED_BYTES_MAX) return hashedTogether(parts, bytes);
  return parts.reduce((so, part) => so.update(part), nodeCrypto().createHash('sha256')).digest();
}

function hashedTogether(parts: readonly Uint8Array[], bytes: number): Buffer {
  room ??= Buffer.allocUnsafeSlow(COPIED_BYTES_MAX);
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  const digest = hashed(room.subarray(0, bytes));
  room.fill(0, 0, bytes); // what was digested is to be nowhere but where it was: it may be erased there
  return digest;
}

/** By way of a text: to be given a Buffer takes longer than to digest a kilobyte. */
const hashed = (input: Uint8Array | string): Buffer =>
  Buffer.from(nodeCrypto().hash('sha256', input, 'binary'), 'binary');

/** The same of a text. */
export const sha256Text = (text: string): Buffer =>
  digested <= WASM_BYTES_MAX ? sha256(Buffer.from(text)) : hashed(text);

/** The same, as hex. */
export const sha256Hex = (text: string): string => sha256Text(text).toString('hex');

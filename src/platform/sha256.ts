import { wasmHashes } from './hashes/wasm.ts';
import { nodeCrypto } from './node-crypto.ts';

/**
 * What a process digests in WebAssembly. OpenSSL is five times faster, and loading it takes as long as digesting this
 * much: a hook stays below, and whoever has more to do does not feel it.
 */
export const WASM_BYTES_MAX = 256 * 1024;

/** Parts of more bytes than this are not put together first: to copy them takes longer than to digest each. */
const COPIED_BYTES_MAX = 16 * 1024;

let digested = 0;

/** SHA-256 of the parts, one behind the other; 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  digested += bytes;
  const wasm = digested > WASM_BYTES_MAX ? null : wasmHashes();
  if (wasm !== null) return wasm.sha256(parts, bytes);
  const { hash, createHash } = nodeCrypto();
  if (parts.length === 1) return hash('sha256', parts[0]!, 'buffer');
  if (bytes <= COPIED_BYTES_MAX) return hash('sha256', Buffer.concat(parts, bytes), 'buffer');
  return parts.reduce((so, part) => so.update(part), createHash('sha256')).digest();
}

/** The same of a text. */
export function sha256Text(text: string): Buffer {
  if (digested <= WASM_BYTES_MAX) return sha256(Buffer.from(text));
  return nodeCrypto().hash('sha256', text, 'buffer');
}

/** The same, as hex. */
export const sha256Hex = (text: string): string => sha256Text(text).toString('hex');

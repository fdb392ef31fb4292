import { wasmHashes } from './hashes/wasm.ts';
import { nodeCrypto } from './node-crypto.ts';

/**
 * What a process digests in WebAssembly. OpenSSL is five times faster, and loading it takes as long as digesting this
 * much: a hook stays below, and whoever has more to do does not feel it.
 */
export const WASM_BYTES_MAX = 256 * 1024;

/** Parts of more bytes than this are not put together first: to copy them takes longer than to digest each. */
const COPIED_BYTES_MAX = 16 * 1024;

/** Where small parts are put together. Made when it is first needed: a hook does with WebAssembly. */
let room: Buffer | undefined;

const SHA256_BYTES = 32;

let digested = 0;

/** SHA-256 of the parts, one behind the other; 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  digested += bytes;
  const wasm = digested > WASM_BYTES_MAX ? null : wasmHashes();
  if (wasm !== null) return wasm.sha256(parts, bytes);
  return Buffer.from(digestText(parts, bytes), 'latin1');
}

/** Whether the digest at `from` is that of the input. Makes no buffer, which takes as long as to digest some hundred bytes. */
export function isSha256(digests: Uint8Array, from: number, input: Uint8Array): boolean {
  if (digested <= WASM_BYTES_MAX)
    return sha256(input).equals(digests.subarray(from, from + SHA256_BYTES));
  const text = textOf(input);
  for (let at = 0; at < SHA256_BYTES; at += 1)
    if (text.charCodeAt(at) !== digests[from + at]) return false;
  return true;
}

/** By OpenSSL, one character a byte: a buffer that it makes takes longer than the digest of a kilobyte. */
function digestText(parts: readonly Uint8Array[], bytes: number): string {
  if (parts.length === 1) return textOf(parts[0]!);
  if (bytes > COPIED_BYTES_MAX) {
    const sum = nodeCrypto().createHash('sha256');
    for (const part of parts) sum.update(part);
    return sum.digest('binary');
  }
  room ??= Buffer.allocUnsafeSlow(COPIED_BYTES_MAX);
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  views[bytes] ??= room.subarray(0, bytes);
  const text = textOf(views[bytes]);
  room.fill(0, 0, bytes); // what was digested is to be nowhere but where it was: it may be erased there
  return text;
}

/** Of the room, by their length: most are of a length that was there before. */
const views: Buffer[] = [];

let hash: typeof import('node:crypto').hash | undefined;

function textOf(input: Uint8Array | string): string {
  hash ??= nodeCrypto().hash;
  return hash('sha256', input, 'binary');
}

/** The same of a text. */
export const sha256Text = (text: string): Buffer =>
  digested <= WASM_BYTES_MAX ? sha256(Buffer.from(text)) : Buffer.from(textOf(text), 'latin1');

/** The same, as hex. */
export const sha256Hex = (text: string): string => sha256Text(text).toString('hex');

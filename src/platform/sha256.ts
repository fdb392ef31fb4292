import { wasmHashes } from './hashes/wasm.ts';
import { nodeCrypto } from './node-crypto.ts';

/** OpenSSL is five times faster, but loading it takes as long as hashing this much in WebAssembly. */
export const WASM_BYTES_MAX = 256 * 1024;

/** Copying more than this takes longer than hashing each part. */
const COPIED_BYTES_MAX = 16 * 1024;

/** Small parts are joined here. Allocated on first use. */
let room: Buffer | undefined;

const SHA256_BYTES = 32;

let digested = 0;

/** SHA-256 of the concatenated parts. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  digested += bytes;
  const wasm = digested > WASM_BYTES_MAX ? null : wasmHashes();
  if (wasm !== null) return wasm.sha256(parts, bytes);
  return Buffer.from(digestText(parts, bytes), 'latin1');
}

/** Whether the digest at `from` is that of the input, without allocating a buffer. */
export function isSha256(digests: Uint8Array, from: number, input: Uint8Array): boolean {
  if (digested <= WASM_BYTES_MAX)
    return sha256(input).equals(digests.subarray(from, from + SHA256_BYTES));
  const text = textOf(input);
  for (let at = 0; at < SHA256_BYTES; at += 1)
    if (text.charCodeAt(at) !== digests[from + at]) return false;
  return true;
}

/** One character per byte: allocating a buffer takes longer than hashing a kilobyte. */
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
  room.fill(0, 0, bytes); // leave no copy of a text that may be erased
  return text;
}

/** Views of the room by length, because lengths repeat. */
const views: Buffer[] = [];

let hash: typeof import('node:crypto').hash | undefined;

function textOf(input: Uint8Array | string): string {
  hash ??= nodeCrypto().hash;
  return hash('sha256', input, 'binary');
}

export const sha256Text = (text: string): Buffer =>
  digested <= WASM_BYTES_MAX ? sha256(Buffer.from(text)) : Buffer.from(textOf(text), 'latin1');

export const sha256Hex = (text: string): string => sha256Text(text).toString('hex');

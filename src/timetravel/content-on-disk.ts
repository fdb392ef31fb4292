import { isUtf8 } from 'node:buffer';
import { sha256 } from '../platform/sha256.ts';
import { type ContentName, contentName } from '../projections/file-text.ts';

/** As git has it: a NUL byte near the start makes a file binary. */
export const SNIFFED_BYTES = 8000;

export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, SNIFFED_BYTES).includes(0);

/** As a text where it is one: then what the client's tools change on the way makes no difference. */
export const nameOf = (bytes: Buffer): ContentName =>
  isUtf8(bytes) && !isBinary(bytes)
    ? contentName(bytes.toString('utf8'))
    : { hash: sha256(bytes).toString('hex'), bytes: bytes.length };

import { toBase32 } from './base32.ts';
import { unescaped } from './unescaped.ts';

/** What a secret is looked for as: in a text, in what the text reads unescaped, and in bytes. */
export interface Forms {
  /** The secret itself. */
  plain: string;
  /** The secret, and what it reads with all escapes undone: in a text with some or all undone, both made by `folded`. */
  read: readonly string[];
  /** In base64 at each alignment, of its UTF-8 and UTF-16, in both alphabets, and in base32, in both cases. */
  packed: readonly Piece[];
  /** In lower case, of its UTF-8 and UTF-16. */
  hex: readonly string[];
  /** As bytes: UTF-8, UTF-16 in both byte orders, and Latin-1. */
  bytes: readonly Buffer[];
}

/** What is the same wherever some bytes are encoded at one alignment. */
export interface Piece {
  text: string;
  /** Whether the character before it, and the one behind it, are made of some of the bytes' bits as well. */
  sharesStart: boolean;
  sharesEnd: boolean;
}

/** Shorter texts stand everywhere. */
export const SECRET_CHARS_MIN = 4;
/** Shorter pieces stand in many texts by chance. */
const BASE64_CHARS_MIN = 5;
const BASE32_CHARS_MIN = 6;

export function formsOf(secret: string): Forms {
  const utf8 = Buffer.from(secret);
  const bytes = [utf8];
  if (secret.length < SECRET_CHARS_MIN) {
    return { plain: secret, read: [], packed: [], hex: [], bytes };
  }
  const utf16 = Buffer.from(secret, 'utf16le');
  const base64 = [utf8, utf16].flatMap(piecesOfBase64);
  const base32 = [utf8, utf16].flatMap(piecesOfBase32);
  const forUrls = base64.map((one) => ({
    ...one,
    text: one.text.replaceAll('+', '-').replaceAll('/', '_'),
  }));
  const small = base32.map((one) => ({ ...one, text: one.text.toLowerCase() }));
  // A backslash at the end is one with what comes behind it.
  const read = [secret, unescaped(secret).text].map((text) => folded(text).replace(/\\+$/, ''));
  const isLatin1 = /^[\0-\xff]*$/.test(secret);
  return {
    plain: secret,
    read: read.filter((text) => text.trim().length >= SECRET_CHARS_MIN),
    packed: [...base64, ...forUrls, ...base32, ...small],
    hex: [utf8.toString('hex'), utf16.toString('hex')],
    bytes: [
      ...bytes,
      withoutOuterZero(utf16),
      withoutOuterZero(Buffer.from(utf16).swap16()),
      ...(isLatin1 ? [Buffer.from(secret, 'latin1')] : []),
    ],
  };
}

/** Forms on the web write a space as a plus sign: here both are the same. */
export const folded = (text: string): string => text.replaceAll('+', ' ');

const piecesOfBase64 = (bytes: Buffer): Piece[] =>
  piecesOf(bytes, 6, (all) => all.toString('base64')).filter(
    ({ text }) => text.length >= BASE64_CHARS_MIN,
  );

const piecesOfBase32 = (bytes: Buffer): Piece[] =>
  piecesOf(bytes, 5, toBase32).filter(({ text }) => text.length >= BASE32_CHARS_MIN);

/**
 * A piece for each alignment.
 * @param bits what a character of the encoding stands for: as many alignments differ, less those of the byte's common factor
 */
function piecesOf(bytes: Buffer, bits: 5 | 6, encode: (all: Buffer) => string): Piece[] {
  return Array.from({ length: bits === 6 ? 3 : 5 }, (_, before) => {
    const text = encode(Buffer.concat([Buffer.alloc(before), bytes]));
    // The first characters are made of what stands before as well, the last one of what comes behind.
    const start = (before * 8) / bits;
    const end = ((before + bytes.length) * 8) / bits;
    return {
      text: text.slice(Math.ceil(start), Math.floor(end)),
      sharesStart: !Number.isInteger(start),
      sharesEnd: !Number.isInteger(end),
    };
  });
}

/** The zero byte at the outer end may belong to something else. */
function withoutOuterZero(bytes: Buffer): Buffer {
  const start = bytes[0] === 0 ? 1 : 0;
  const end = bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, end);
}

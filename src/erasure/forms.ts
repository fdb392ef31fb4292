import { unescaped } from './unescaped.ts';

/** What a secret is looked for as: in a text, in what the text reads unescaped, and in bytes. */
export interface Forms {
  /** The secret itself. */
  plain: string;
  /** The secret, and what it reads with all escapes undone: in a text with some or all undone, both made by `folded`. */
  read: readonly string[];
  /** At each alignment, of its UTF-8 and UTF-16, in both alphabets. */
  base64: readonly string[];
  /** In lower case, of its UTF-8 and UTF-16. */
  hex: readonly string[];
  /** As bytes: UTF-8, UTF-16 in both byte orders, and Latin-1. */
  bytes: readonly Buffer[];
}

/** Shorter texts stand everywhere. */
export const SECRET_CHARS_MIN = 4;
/** Shorter pieces of base64 stand in many texts by chance. */
const BASE64_CHARS_MIN = 5;

export function formsOf(secret: string): Forms {
  const utf8 = Buffer.from(secret);
  const bytes = [utf8];
  if (secret.length < SECRET_CHARS_MIN) {
    return { plain: secret, read: [], base64: [], hex: [], bytes };
  }
  const utf16 = Buffer.from(secret, 'utf16le');
  const base64 = [...piecesOfBase64(utf8), ...piecesOfBase64(utf16)];
  const forUrls = base64.map((piece) => piece.replaceAll('+', '-').replaceAll('/', '_'));
  // A backslash at the end is one with what comes behind it.
  const read = [secret, unescaped(secret).text].map((text) => folded(text).replace(/\\+$/, ''));
  const isLatin1 = /^[\0-\xff]*$/.test(secret);
  return {
    plain: secret,
    read: read.filter((text) => text.trim().length >= SECRET_CHARS_MIN),
    base64: [...new Set([...base64, ...forUrls])],
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

/** What is the same in every base64 text that has the bytes in it, at each of the three alignments. */
function piecesOfBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first characters are made of what stands before as well, the last one of what comes behind.
    const start = before === 0 ? 0 : before + 1;
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const piece = text.slice(start, end);
    return piece.length < BASE64_CHARS_MIN ? [] : [piece];
  });
}

/** The zero byte at the outer end may belong to something else. */
function withoutOuterZero(bytes: Buffer): Buffer {
  const start = bytes[0] === 0 ? 1 : 0;
  const end = bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, end);
}

/** A secret that was pasted into code, a command or a header stands there in one of these forms. */
export interface Forms {
  /** As text: the secret itself, escaped for JSON, in base64 at each alignment, in hex, percent-encoded. */
  texts: readonly string[];
  /** As bytes that are no text: UTF-16, both byte orders. */
  bytes: readonly Buffer[];
  /** What of base64 is looked for also with line breaks between any two characters, as programs print it. */
  base64: readonly string[];
}

/** Shorter pieces of base64 stand in many texts by chance. */
const BASE64_CHARS_MIN = 5;

export function formsOf(secret: string): Forms {
  const utf8 = Buffer.from(secret);
  const utf16 = Buffer.from(secret, 'utf16le');
  const base64 = [...piecesOfBase64(utf8), ...piecesOfBase64(utf16)];
  const forUrls = base64.map((piece) => piece.replaceAll('+', '-').replaceAll('/', '_'));
  const bothAlphabets = [...new Set([...base64, ...forUrls])];
  const texts = [
    secret,
    ...escapedForJson(secret),
    ...bothAlphabets,
    ...inBothCases(utf8.toString('hex')),
    ...percentEncoded(secret, utf8),
    // UTF-16 that somebody read as single bytes.
    [...secret].join('\0'),
  ];
  return {
    texts: [...new Set(texts)],
    bytes: [withoutOuterZero(utf16), withoutOuterZero(Buffer.from(utf16).swap16())],
    base64: bothAlphabets,
  };
}

/** JSON, JSON inside JSON, and both as writers have it that escape all but ASCII, or slashes. */
function escapedForJson(secret: string): string[] {
  const once = escapedOnce(secret);
  return [...once, ...once.flatMap(escapedOnce)];
}

function escapedOnce(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const hex = (char: string) => char.charCodeAt(0).toString(16).padStart(4, '0');
  const ascii = json.replace(/[^\x20-\x7e]/g, (char) => `\\u${hex(char)}`);
  const upper = json.replace(/[^\x20-\x7e]/g, (char) => `\\u${hex(char).toUpperCase()}`);
  return [json, ascii, upper, json.replaceAll('/', '\\/')];
}

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

const inBothCases = (hex: string): string[] => [hex, hex.toUpperCase()];

function percentEncoded(secret: string, utf8: Buffer): string[] {
  // A lone surrogate has no UTF-8 to encode.
  const component = secret.isWellFormed() ? encodeURIComponent(secret) : secret;
  const strict = component.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  const all = inBothCases(utf8.toString('hex')).map((hex) => hex.replace(/../g, '%$&'));
  const some = [component, strict, component.replaceAll('%20', '+')];
  const lower = some.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [...some, ...lower, ...all];
}

/** The zero byte at the outer end may belong to something else. */
function withoutOuterZero(bytes: Buffer): Buffer {
  const start = bytes[0] === 0 ? 1 : 0;
  const end = bytes.at(-1) === 0 ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, end);
}

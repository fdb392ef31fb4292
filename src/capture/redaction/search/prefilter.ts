import type { Kind } from '../rule.ts';

/** What is looked for in every text. */
export interface Keyword {
  readonly text: string;
  readonly kind: Kind;
  /** The places of its rules in the table, between blanks. */
  readonly ranks?: string;
}

const KINDS: Record<string, Kind> = {
  t: 'token',
  l: 'label',
  p: 'part',
  v: 'vendor',
  w: 'word',
};

/** As `keywords.ts` has them. */
export const keywordsOf = (lines: string): Keyword[] =>
  lines.split('\n').map((line) => {
    const end = line.lastIndexOf('\t');
    return { kind: KINDS[line[0]!]!, text: line.slice(1, end), ranks: line.slice(end + 1) };
  });

/** Where a keyword stands: its place and its number, one pair after the other. */
export type Candidates = number[];

const FOLD = 31;
const GRAM_BITS = 15;
const GRAM_MASK = (1 << GRAM_BITS) - 1;
/** Three characters of five bits each: letters of both cases are the same, some signs are taken for letters. */
const gramOf = (a: number, b: number, c: number): number =>
  ((a & FOLD) << 10) | ((b & FOLD) << 5) | (c & FOLD);

const CHUNK_CHARS = 16 * 1024;
/** A native method of a Buffer, which Node's types leave out. */
const BUFFER = Buffer.alloc(CHUNK_CHARS + 8) as Buffer & { latin1Write(text: string): number };
const BYTES = new Uint8Array(BUFFER.buffer, BUFFER.byteOffset, BUFFER.length);
const HITS = new Uint16Array(CHUNK_CHARS + 8);

/**
 * Where four characters stand that a keyword begins with. A function of its own, of nothing but numbers: V8 makes machine code of it
 * within the first text, which a hook has only one of.
 * @returns how many there are
 */
function hitsIn(bytes: Uint8Array, end: number, fourths: Uint32Array, hits: Uint16Array): number {
  let count = 0;
  let gram = ((bytes[0]! & FOLD) << 5) | (bytes[1]! & FOLD);
  let fourth = bytes[2]! & FOLD;
  for (let at = 3; at < end; at += 1) {
    gram = ((gram << 5) | fourth) & GRAM_MASK;
    fourth = bytes[at]! & FOLD;
    if ((fourths[gram]! >>> fourth) & 1) hits[count++] = at - 3;
  }
  return count;
}

/**
 * Finds keywords by their first four characters, in one pass over the text: nearly every text holds none, and no expression is
 * run for it. Shorter keywords stand for all that may follow them.
 */
export class Prefilter {
  readonly keywords: readonly Keyword[];
  /** By three characters, which fourth ones follow, a bit each. */
  readonly #fourths = new Uint32Array(1 << GRAM_BITS);
  /** By three characters, the keywords. */
  readonly #lists = new Map<number, number[]>();

  constructor(keywords: readonly Keyword[]) {
    this.keywords = keywords;
    for (let index = 0; index < keywords.length; index += 1) {
      const { text } = keywords[index]!;
      const fourth = text.length > 3 ? 1 << (text.charCodeAt(3) & FOLD) : -1;
      const [a, b, c] = [text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)];
      if (text.length > 2) this.#add(gramOf(a, b, c), fourth, index);
      else for (let any = 0; any <= FOLD; any += 1) this.#add(gramOf(a, b, any), fourth, index);
    }
  }

  #add(gram: number, fourth: number, index: number): void {
    const list = this.#lists.get(gram);
    if (list === undefined) this.#lists.set(gram, [index]);
    else list.push(index);
    this.#fourths[gram]! |= fourth;
  }

  /** @param max how many are enough */
  candidates(text: string, max = Infinity): Candidates {
    const found: Candidates = [];
    for (let from = 0; from < text.length && found.length <= 2 * max; from += CHUNK_CHARS) {
      // Bytes are read in a fraction of the time that characters take: of those beyond Latin-1 the lower half, which finds too much at most.
      const length = BUFFER.latin1Write(text.slice(from, from + CHUNK_CHARS + 3));
      BYTES[length] = BYTES[length + 1] = BYTES[length + 2] = 0;
      const count = hitsIn(BYTES, Math.min(length, CHUNK_CHARS) + 3, this.#fourths, HITS);
      for (let hit = 0; hit < count; hit += 1) this.#collect(text, from, HITS[hit]!, found);
    }
    return found;
  }

  #collect(text: string, from: number, hit: number, found: Candidates): void {
    const at = from + hit;
    const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    for (const index of this.#lists.get(gramOf(a, b, c)) ?? []) {
      const { text: word, kind } = this.keywords[index]!;
      if (isAt(text, at, word, kind === 'token') && mayHold(text, at, at + word.length, kind))
        found.push(at, index);
    }
  }
}

function isAt(text: string, at: number, word: string, isExact: boolean): boolean {
  if (isExact) return text.startsWith(word, at);
  for (let index = 0; index < word.length; index += 1) {
    const code = text.charCodeAt(at + index);
    const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (lower !== word.charCodeAt(index)) return false;
  }
  return true;
}

const isAlphanumeric = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a);
const isNamed = (code: number): boolean => isAlphanumeric(code) || code === 0x5f || code === 0x2d;

/** Shorter runs are no tokens. */
const TOKEN_CHARS_MIN = 14;
/** How far an operator is from the word that tells of a secret. */
const NAME_CHARS_MAX = 64;
/** How far a type between a name and `=` begins and ends. */
const TYPED_CHARS_MAX = 24;
/** What may stand between a name and its operator, and between that and more of it. */
const BETWEEN = ' \t\r\n"\'`\\)]}[';
/** What assigns, or stands for it: an escape, a percent-encoded sign, an entity, a colour, the next argument. */
const ASSIGNING = '=:>,|?&%!-+\x1b(';

/** What plain code sees of a candidate, before any expression is tried. */
function mayHold(text: string, at: number, end: number, kind: Kind): boolean {
  if (kind === 'word') return text[at] !== ':' || text[at + 1] !== '/' || hasUser(text, end);
  if (kind === 'part' && (isInside(text, at) || goesOn(text, end))) return false;
  return kind === 'token' ? mayBeToken(text, at) : mayBeAssigned(text, at, end, kind === 'vendor');
}

/** Whether the word is but the end of another: `compass`, `monkey`. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isLower = before >= 0x61 && before <= 0x7a && text.charCodeAt(at) >= 0x61;
  return isLower && !KNOWN_BEFORE.test(text.slice(Math.max(0, at - 6), at));
}
/** Words that stand before a label without a sign, and an escape. */
export const KNOWN_BEFORE =
  /(?:db|user|my|admin|root|smtp|mail|api|ftp|ssh|sql|pg|redis|auth|become|\\[nrt])$/i;

/** Whether the word is but the beginning of another: `path`, `author`, `keyboard`. */
function goesOn(text: string, end: number): boolean {
  const next = text.charCodeAt(end);
  const isLower = next >= 0x61 && next <= 0x7a;
  return isLower && text[end] !== 's' && text.charCodeAt(end - 1) >= 0x61;
}

/** Whether an address may have a user and a password. */
function hasUser(text: string, from: number): boolean {
  const last = Math.min(text.length, from + ADDRESS_CHARS_MAX);
  for (let next = from; next < last && text.charCodeAt(next) > 0x20; next += 1)
    if (text[next] === '@' || text[next] === '%') return true;
  return false;
}
const ADDRESS_CHARS_MAX = 400;

function mayBeToken(text: string, at: number): boolean {
  // An escape ends in a letter or a digit: `\n`, `%22`, `\x1b[0m`.
  if (
    isAlphanumeric(text.charCodeAt(at - 1)) &&
    !/[\\%[]/.test(text.slice(Math.max(0, at - 6), at))
  )
    return false;
  let chars = 0;
  for (let next = at; next < text.length && chars < TOKEN_CHARS_MIN; next += 1) {
    const code = text.charCodeAt(next);
    if (code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x60) {
      if (code !== 0x1b) return false;
      // A colour within: its characters are not counted, and what follows is.
      return true;
    }
    chars += 1;
  }
  return chars >= TOKEN_CHARS_MIN;
}

function mayBeAssigned(text: string, at: number, end: number, isVendor: boolean): boolean {
  const last = Math.min(text.length, end + NAME_CHARS_MAX);
  let next = end;
  let isSpaced = false;
  /** A word behind the name, its type: only `=` is behind that. */
  let isTyped = false;
  for (; next < last; next += 1) {
    const code = text.charCodeAt(next);
    if (isSpaced && !isTyped && (code === 0x22 || code === 0x27)) return true;
    if (isTyped && code === 0x3d) return true;
    if (code === 0x3c && text[next + 1] === '/') return true;
    if (isSpaced && code === 0x2e && text[next + 1] === '=') return true;
    if (!isTyped && ASSIGNING.includes(text[next]!)) {
      if (code !== 0x2d || isSpaced) return true;
    } else if (isTyped && code <= 0x20) continue;
    else if (BETWEEN.includes(text[next]!)) isSpaced ||= code <= 0x20;
    else if (isSpaced && (text[next] === 'v' || text[next] === 'c')) return true;
    else if (isSpaced && !isVendor && isNamed(code) && next < end + TYPED_CHARS_MAX) isTyped = true;
    else if ((isSpaced && !isVendor) || !(isNamed(code) || code === 0x2e || code > 0x7f)) break;
  }
  return isSpaced && isSecondWord(text, at);
}

/** `--token x`, `ENV TOKEN x`, `setx TOKEN x`. */
function isSecondWord(text: string, at: number): boolean {
  let from = at;
  while (from > 0 && at - from < NAME_CHARS_MAX && isNamed(text.charCodeAt(from - 1))) from -= 1;
  return (
    text[from] === '-' || /(?:env|setx?|-\w{1,3}) $/i.test(text.slice(Math.max(0, from - 8), from))
  );
}

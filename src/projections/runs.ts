/** Finds runs of characters that may name something. Plain code, because it sees every character; most runs are plain words. */

/** What a character means to a run. */
const [SEPARATOR, LOWER, UPPER, DIGIT, LEADING, TRAILING, OTHER] = [0, 1, 2, 3, 4, 5, 6];
const KINDS = kindsOfAscii();

function kindsOfAscii(): Uint8Array {
  const kinds = new Uint8Array(128);
  const set = (chars: string, kind: number) => {
    for (const char of chars) kinds[char.charCodeAt(0)] = kind;
  };
  for (let n = 0; n < 26; n += 1) {
    kinds[0x41 + n] = UPPER;
    kinds[0x61 + n] = LOWER;
  }
  set('0123456789', DIGIT);
  // Cut off at both ends of a run; only at its end.
  set('.:#%+', LEADING);
  set('\\/-', TRAILING);
  set('_$@~', OTHER);
  return kinds;
}

/** `18,342` is one number. */
const GROUPED = /\d{1,3}(?:,\d{3})+(?![\d.])/y;
const COMMA = 0x2c;
const LETTER = /^[\p{L}\p{N}]/u;

/** Runs of `[\p{L}\p{N}_$@~./\\:#%+-]` and grouped numbers, except plain words with punctuation around them. */
export function eachTellingRun(text: string, take: (run: string) => void): void {
  for (let at = 0; at < text.length; ) {
    const first = kindAt(text, at);
    if (first === DIGIT) {
      const end = groupedEnd(text, at);
      if (end !== undefined) {
        take(text.slice(at, end));
        at = end;
        continue;
      }
    }
    if (first === SEPARATOR) {
      at += 1;
      continue;
    }
    const start = at;
    // 0: before the word, 1: in it, 2: behind it, 3: punctuation that no word may follow.
    let phase = 0;
    let isPlain = true;
    for (let kind = first; kind !== SEPARATOR; kind = kindAt(text, at)) {
      if (kind === LOWER) {
        if (phase > 1) isPlain = false;
        phase = 1;
      } else if (kind === LEADING) {
        if (phase === 1) phase = 2;
      } else if (kind === TRAILING) {
        phase = phase === 1 || phase === 2 ? 2 : 3;
      } else if (kind === UPPER && phase === 0) phase = 1;
      else isPlain = false;
      at += 1;
    }
    if (!isPlain && at - start > 1) take(text.slice(start, at));
  }
}

/** The end of a grouped number that begins there. */
function groupedEnd(text: string, at: number): number | undefined {
  let digits = 1;
  while (digits < 4 && kindAt(text, at + digits) === DIGIT) digits += 1;
  if (digits > 3 || text.charCodeAt(at + digits) !== COMMA) return undefined;
  GROUPED.lastIndex = at;
  return GROUPED.test(text) ? GROUPED.lastIndex : undefined;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return KINDS[code]!;
  if (Number.isNaN(code)) return SEPARATOR;
  // The second half of a surrogate pair belongs to the first.
  const isSecond = code >= 0xdc00 && code <= 0xdfff && isFirst(text.charCodeAt(at - 1));
  return isLetter(text, isSecond ? at - 1 : at) ? OTHER : SEPARATOR;
}

const isFirst = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLetter = (text: string, at: number): boolean =>
  LETTER.test(String.fromCodePoint(text.codePointAt(at)!));

import { hasAny, isAlphanumeric, isDigit, isLetter, isLower, isUpper } from './word-char.ts';

/** The most digits of a part of a name, and where it has nothing else. */
const DIGITS_MAX = 3;
const YEAR_DIGITS = 4;

/** Where the digits end that begin at `at`. */
function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** How large something is: `4x`, and as styles call it, wherever it stands: `2xl`. */
const SIZES = ['x', 'xl', 'xs'];
const STYLED = ['xl', 'xs'];
const SIZE_DIGITS_MAX = 2;
const isSize = (part: string, sizes = SIZES): boolean => {
  const digits = digitsEnd(part, 0);
  return (
    digits > 0 &&
    digits <= SIZE_DIGITS_MAX &&
    part[0] !== '0' &&
    sizes.includes(part.slice(digits).toLowerCase())
  );
};

/** Letters and digits behind them: `next`, `v2`, `base64`, `2024`. Random text of a token's length is hardly any. */
function isWord(part: string): boolean {
  let at = 0;
  while (isLetter(part.charCodeAt(at))) at += 1;
  return (
    digitsEnd(part, at) === part.length && part.length - at <= (at === 0 ? YEAR_DIGITS : DIGITS_MAX)
  );
}

/** Words that begin in upper case, but for the first, digits behind each: `nextToken2`. */
function isCamelCase(part: string): boolean {
  for (let at = 0; ; at += 1) {
    const start = at;
    while (isLower(part.charCodeAt(at))) at += 1;
    if (start > 0 && at === start) return false;
    const end = digitsEnd(part, at);
    if (end - at > DIGITS_MAX) return false;
    at = end;
    if (at === part.length) return true;
    if (!isUpper(part.charCodeAt(at))) return false;
  }
}

/** Names with a digit in the middle, which code is full of. */
const TERM =
  /25519|oauth2|sha(?:1|256|384|512)|base(?:32|58|64)|utf(?:8|16)|http2|x509|aes(?:128|256)|md5/gi;

/** What they begin with, in lower case: most texts have none, and V8 takes long to make an expression. */
const TERM_STARTS = '25519 oauth2 sha base utf http2 x509 aes md5'.split(' ');

/** The text without these names. */
export function withoutTerms(text: string): string {
  const lower = text.toLowerCase();
  return TERM_STARTS.some((start) => lower.includes(start)) ? text.replace(TERM, '') : text;
}

/** Whether all parts of a text are words: in plain code, as nearly every secret is looked at so. */
function areWords(text: string, isBetween: (code: number) => boolean): boolean {
  for (let from = 0, at = 0; at <= text.length; at += 1) {
    if (at < text.length && !isBetween(text.charCodeAt(at))) continue;
    const part = text.slice(from, at);
    if (!isWord(part) && !isCamelCase(part) && !(part !== text && isSize(part, STYLED)))
      // Behind letters alone: `spacing-4x`.
      return (
        at === text.length && from > 0 && isSize(part) && !hasAny(text.slice(0, from), isDigit)
      );
    from = at + 1;
  }
  return true;
}

const JOINTS = '-_.:/@+~';

/** Whether a name is made of words. */
export const isWordy = (value: string): boolean =>
  areWords(withoutTerms(value), (code) => JOINTS.includes(String.fromCharCode(code)));

/** The same of any text, whatever signs stand between them. */
export const isOfWords = (value: string): boolean =>
  areWords(withoutTerms(value), (code) => !isAlphanumeric(code));

const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
/** Shorter ones are too few letters to tell. */
const SCRAMBLED_CHARS_MIN = 12;
/** Characters that runs of one kind have on average: of random letters two, of words in camel case four and more. */
const SCRAMBLED_RUN_CHARS = { sure: 2.5, likely: 3.5 };
/** Consonants that words put together, `subscription` and `background`. */
const CLUSTERS = /[bn]scr|[bn]str|ck[bdfghpst]|nds|rks|ngth|tch|sch|ght|dst/gi;
const UNPRONOUNCEABLE = /[bcdfghj-np-tv-xz]{4}|q[b-tv-z]|^[a-z]+\d{2}/;

/** Letters as only a machine mixes them, with or without digits. */
export function isScrambled(value: string): boolean {
  if (value.length < SCRAMBLED_CHARS_MIN) return false;
  if (UNPRONOUNCEABLE.test(value.replace(CLUSTERS, 'a'))) return true;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const runs = value.match(RUNS) ?? [];
  const mean = runs.reduce((sum, run) => sum + run.length, 0) / runs.length;
  const { sure, likely } = SCRAMBLED_RUN_CHARS;
  return mean <= sure || (mean <= likely && !isCamelCase(value));
}

/**
 * Which letters follow each letter in English words and the names of code, a bit for each from `a` on: the 255 pairs of 676
 * that make up 95 of 100 in the 7,901 different words of the packages that this repository was built with.
 */
const FOLLOWERS = [
  20888942, 1460497, 1985941, 1460505, 15710591, 17975601, 1468881, 1720593, 45021311, 262160,
  262416, 18630937, 1364243, 20735357, 8322415, 2017681, 1048576, 20872541, 18664853, 18763132,
  964959, 16657, 418193, 557328, 294912, 16,
];
/** Pairs of random letters are rare ones in six of ten, those of words in one of twenty. */
const RARE_PART_MIN = 0.3;
/** The same of camel case, and of a few small letters, which may be two words without anything between them. */
const READABLE_RARE_PART_MIN = 0.45;
const RARE_PAIRS_MIN = 3;
/** Characters that runs of one case have on average, where nothing reads as words. */
const MIXED_RUN_CHARS_MAX = 2.2;
const RANDOM_CHARS_MIN = 8;
/** Names in camel case, of words that can be read: where two of them meet says nothing. */
const READABLE_CAMEL = /^[A-Za-z]?[a-z]{2,}(?:[A-Z][a-z]{2,})+$/;

/** Whether the letters of a text follow each other as in no word: a machine took them by chance. */
export function isRandom(value: string): boolean {
  if (value.length < RANDOM_CHARS_MIN) return false;
  const isCamel = READABLE_CAMEL.test(value);
  const apart = isCamel ? value.replace(/(?=[A-Z])/g, ' ') : value;
  const lower = apart.toLowerCase();
  let pairs = 0;
  let rare = 0;
  for (let at = 1; at < lower.length; at += 1) {
    const first = lower.charCodeAt(at - 1) - 0x61;
    const second = lower.charCodeAt(at) - 0x61;
    if (first < 0 || first > 25 || second < 0 || second > 25) continue;
    pairs += 1;
    if (((FOLLOWERS[first]! >> second) & 1) === 0) rare += 1;
  }
  const isReadable = isCamel || (value.length < SCRAMBLED_CHARS_MIN && value === lower);
  const min = isReadable ? READABLE_RARE_PART_MIN : RARE_PART_MIN;
  if (rare >= RARE_PAIRS_MIN && rare >= min * pairs) return true;
  return isMixed(value);
}

function isMixed(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || isCamelCase(value)) return false;
  const runs = value.match(RUNS) ?? [];
  return runs.reduce((sum, run) => sum + run.length, 0) <= MIXED_RUN_CHARS_MAX * runs.length;
}

/** Names of words, as code is full of them, and letters that a machine mixed. */

/**
 * Words that a text begins or ends with, of which there are so many that to compile an expression of them takes a fresh process a
 * millisecond and more.
 */
export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const WORD_CHARS_MAX = 16;

/** How many characters at the text's beginning are one of the words; 0 when none are. */
export function beginning(text: string, words: ReadonlySet<string>): number {
  for (let length = Math.min(text.length, WORD_CHARS_MAX); length > 0; length -= 1)
    if (words.has(text.slice(0, length))) return length;
  return 0;
}

/** The same at its end. */
export function ending(text: string, words: ReadonlySet<string>): number {
  for (let length = Math.min(text.length, WORD_CHARS_MAX); length > 0; length -= 1)
    if (words.has(text.slice(-length))) return length;
  return 0;
}

/** Names with a digit in the middle. */
const TERM =
  /25519|oauth2|sha(?:1|256|384|512)|base(?:32|58|64)|utf(?:8|16)|http2|x509|aes(?:128|256)|md5/gi;
/** Letters and a number behind them: `next`, `v2`, `2024`; and sizes: `4x`, `2xl`. */
const WORD = /^(?:[A-Za-z]*\d{0,3}|\d{0,4}|[1-9]\d?x[ls]?)$/;
/** Words that begin in upper case, but for the first, a number behind each: `nextToken2`. */
const CAMEL = /^(?:[a-z]*|[A-Z][a-z]*)\d{0,3}(?:[A-Z][a-z]+\d{0,3})*$/;

const areWords = (text: string, between: RegExp): boolean =>
  text
    .replace(TERM, '')
    .split(between)
    .every((part) => WORD.test(part) || CAMEL.test(part));

/** Whether a name is made of words. */
export const isWordy = (value: string): boolean => areWords(value, /[-_.:/@+~]/);
/** The same of any text, whatever signs stand between them. */
export const isOfWords = (value: string): boolean => areWords(value, /[^A-Za-z0-9]/);

const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const meanRun = (value: string): number => {
  const runs = value.match(RUNS) ?? [''];
  return runs.join('').length / runs.length;
};

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
  const mean = meanRun(value);
  return (
    mean <= SCRAMBLED_RUN_CHARS.sure || (mean <= SCRAMBLED_RUN_CHARS.likely && !CAMEL.test(value))
  );
}

/**
 * Which letters follow each letter in English words and the names of code, a bit for each from `a` on: the 255 pairs of 676
 * that make up 95 of 100 in the different words of the packages that this repository was built with.
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
  const lower = (isCamel ? value.replace(/(?=[A-Z])/g, ' ') : value).toLowerCase();
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
  if (
    rare >= RARE_PAIRS_MIN &&
    rare >= (isReadable ? READABLE_RARE_PART_MIN : RARE_PART_MIN) * pairs
  )
    return true;
  return (
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    !CAMEL.test(value) &&
    meanRun(value) <= MIXED_RUN_CHARS_MAX
  );
}

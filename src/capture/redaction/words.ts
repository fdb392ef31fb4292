/** Parts of names and identifiers: `next`, `v2`, `base64`, `2024`. Random text of a token's length has hardly any. */
const WORD_PART = /^(?:[A-Za-z]*\d{0,3}|\d{1,4})$/;
const CAMEL_CASE = /^[a-z]*\d{0,3}(?:[A-Z][a-z]+\d{0,3})*$/;

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

const areWords = (parts: readonly string[]): boolean =>
  parts.every((part) => WORD_PART.test(part) || CAMEL_CASE.test(part));

/** Whether a name is made of words. */
export const isWordy = (value: string): boolean =>
  areWords(withoutTerms(value).split(/[-_.:/@+~]/));

/** The same of any text, whatever signs stand between them. */
export const isOfWords = (value: string): boolean =>
  areWords(withoutTerms(value).split(/[^A-Za-z0-9]+/));

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
  return mean <= sure || (mean <= likely && !CAMEL_CASE.test(value));
}

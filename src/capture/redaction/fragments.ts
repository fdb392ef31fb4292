/**
 * Pieces of regular expressions (source text) that the rules share. A secret seldom stands alone: it is quoted in JSON
 * inside JSON, coloured by a terminal program, or percent-encoded, and then the characters around it are not what a
 * `\b` expects (`\nghp_…` as two characters puts an `n` before the token, a colour puts an `m`).
 */

/** A colour sequence, raw or as the usual escapes of it. */
export const ANSI = String.raw`(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]|e|033))\[[0-9;]{0,12}m`;

/** What may stand before a token though it ends in a letter or digit: an escape, a colour, a percent-encoded sign. */
const AFTER_ESCAPE = String.raw`(?<=\\[nrtbf]|\[[0-9;]{0,12}[mK]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})`;

/**
 * `prefix` where a token may begin: not after another of `alphabet` (the inside of a character class). The prefix stands
 * first and looks back over itself, so that V8 searches for the literal: 50 times faster than looking back everywhere.
 */
export function tokenStart(prefix: string, alphabet = 'A-Za-z0-9'): string {
  return `${prefix}(?<=(?:(?<![${alphabet}])|${AFTER_ESCAPE})${prefix})`;
}

/** `/`, also as JSON written by PHP has it (`\/`) and percent-encoded. */
export const SLASH = String.raw`(?:\\{0,3}/|%2[Ff])`;

/** A quotation mark, also inside JSON inside JSON (`\"`, `\\\"`, `\u0022`), percent-encoded and as HTML has it. */
export const QUOTE = String.raw`(?:\\{0,7}(?:["'\`]|u002[27])|%2[27]|&(?:quot|apos|#x2[27]|#3[49]);)`;

/** RFC 9562, in lower case. */
export const UUID = String.raw`[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}`;

/**
 * `count` or more of `alphabet` (the inside of a character class). Not `{count,}`: V8 keeps an entry of its backtracking
 * stack for each repetition of that, and throws from about 16 million on; a plain `*` of a class needs none.
 */
export function atLeast(count: number, alphabet: string): string {
  return `[${alphabet}]{${count}}[${alphabet}]*`;
}

/** The first or last line of a block in PEM or OpenPGP armour. Group 1 says which. */
export const LINE_OF_DASHES = /-----(BEGIN|END) [A-Z0-9 ]{1,80}-----/;

import type { Rule } from '../rule.ts';
import { entropyOf, isPlaceholder } from '../search/value-test.ts';
import { beginningsOf, grammarSource, leastChars } from './grammar.ts';
import { TOKENS } from './tokens.ts';

/** Fewer bits a character are an example or a name: 36 random letters and digits have 4.5, one letter again and again 0. */
const BITS_MIN = 1.3;
/** How much of a token its entropy is computed from, characters. */
const JUDGED_CHARS_MAX = 256;

/** Not inside a word; those that are common in words not behind `-`, `_` or `.` either, but for the sign of a diff. */
const START = '(?<![A-Za-z0-9])';
const START_ALONE = '(?<![A-Za-z0-9_.])(?<![^\\s\\d]-)';

/** A row each. */
export const TOKEN_LINES = TOKENS.split('\n').filter((line) => line !== '' && line[0] !== '#');

export function tokenRow(line: string) {
  const [id = '', grammar = '', source = '', ...more] = line.split(' ');
  const bits = more.find((one) => one.startsWith('bits='));
  return {
    id,
    grammar,
    source,
    isAlone: more.includes('alone'),
    hasChecksum: more.includes('crc32'),
    bits: bits === undefined ? BITS_MIN : Number(bits.slice(5)),
  };
}

export const tokenRows = () => TOKEN_LINES.map(tokenRow);

/** What looks like a token and is none: an example, a mask. */
const isToken = (token: string, bits: number): boolean => {
  const judged = token.slice(0, JUDGED_CHARS_MAX);
  return entropyOf(judged) >= bits && !isPlaceholder(judged);
};

export function tokenRule(line: string): Rule {
  const { id, grammar, source, isAlone, bits } = tokenRow(line);
  return {
    id,
    kind: 'token',
    get keywords() {
      return beginningsOf(grammar);
    },
    get run() {
      return leastChars(grammar);
    },
    pattern: new RegExp((isAlone ? START_ALONE : START) + grammarSource(grammar), 'y'),
    test: (token) => isToken(token, bits),
    source,
  };
}

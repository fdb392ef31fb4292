import { CUSTOM_TOKENS } from './custom-tokens.ts';
import { grammarSource, signsOf } from './grammar.ts';
import { TOKEN_ROWS } from './token-rows.ts';

/**
 * Bits a character that a token must have, its beginning included: one character again and again (`xxxx`) is an example,
 * and has at most 1.1. Anything else is taken for a token: to mark an example costs nothing, to miss a token does.
 */
export const ENTROPY_MIN = 1.3;

const line = (
  id: string,
  signs: readonly string[],
  alone: unknown,
  entropy: number,
  source: string,
) => `\n ${signs.join(' ')}\t${id}\t${alone ? 1 : ''}\t${entropy}\t${source}`;

/**
 * The custom tokens and the rows as one text, in the order of the table, a line each: its first two to seven characters with a
 * space before each, its id, whether it stands alone, bits a character, the expression that matches it. A hook's bundle has the
 * text alone (`tools/hook-bundles.mjs`): to search it takes V8 a hundredth of what it takes to read and to search the rows.
 */
export const TOKEN_LINES: string = [
  ...CUSTOM_TOKENS.map(({ id, signs, alone, pattern }) =>
    line(id, signs, alone, ENTROPY_MIN, pattern),
  ),
  ...TOKEN_ROWS.map(([id, , , grammar, more]) =>
    line(id, signsOf(grammar), more?.alone, more?.entropy ?? ENTROPY_MIN, grammarSource(grammar)),
  ),
].join('');

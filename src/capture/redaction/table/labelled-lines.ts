import { grammarSource } from './grammar.ts';
import { LABELLED_ROWS } from './labelled-rows.ts';

/**
 * The rows as one text, a line each, as `token-lines.ts` has the tokens: parts of the label with a space before each, the id, the
 * expression that matches the whole value.
 */
export const LABELLED_LINES: string = LABELLED_ROWS.map(
  ([id, , , words, grammars]) =>
    `\n ${words.join(' ')}\t${id}\t^(?:${grammars.map(grammarSource).join('|')})$`,
).join('');

import { hasChecksum } from './checksums.ts';
import { tokenRows } from './token-rules.ts';

/**
 * Whether the checksum in a token of this rule is right: then it is no example, and not mistyped. Null for a rule whose
 * tokens have none.
 */
export function checksumOf(id: string, token: string): boolean | null {
  const isChecked = tokenRows().some(
    (row) => row.id === id && row.hasChecksum && grammarFits(row.grammar, token),
  );
  return isChecked ? hasChecksum(token) : null;
}

/** Of the rows of one rule, the one that the token begins like: those with a checksum end their beginning with `_`. */
const grammarFits = (grammar: string, token: string): boolean =>
  grammar.slice(0, grammar.lastIndexOf('_')).includes(token.slice(0, token.indexOf('_')));

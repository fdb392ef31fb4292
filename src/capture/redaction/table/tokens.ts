import type { NamedSpan, RedactionRule } from '../rule.ts';
import { visitTokenStarts } from '../token-starts.ts';
import { CUSTOM_TOKENS } from './custom-tokens.ts';
import { TOKEN_ROWS, tokenAt } from './token-at.ts';
import { wrappedAt } from './wrapped.ts';

function findTokens(text: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  visitTokenStarts(text, (at) => {
    const token = tokenAt(text, at) ?? wrappedAt(text, at);
    if (token !== undefined && token.id !== '') found.push(token);
    return token?.end;
  });
  return found;
}

/** All of the table's tokens, in one pass over the text. */
export const TOKENS: RedactionRule = {
  id: 'TOKEN',
  ids: [...new Set([...CUSTOM_TOKENS.map(({ id }) => id), ...TOKEN_ROWS.map(([id]) => id)])],
  find: findTokens,
};

import * as KIND from '../kinds.ts';
import type { Places } from '../places.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { tokenAt, tokenIds } from './token-at.ts';
import { wrappedAt } from './wrapped.ts';

function* findTokens(text: string, places: Places): Generator<NamedSpan> {
  let from = 0;
  for (const at of places.at(KIND.token)) {
    if (at < from) continue;
    const token = tokenAt(text, at) ?? wrappedAt(text, at);
    if (token === undefined) continue;
    from = token.end;
    if (token.id !== '') yield token;
  }
}

/** All of the table's tokens. */
export const TOKENS: RedactionRule = {
  id: 'TOKEN',
  kind: KIND.token,
  get ids() {
    return tokenIds();
  },
  find: findTokens,
};

import { LASTS, NEGATES, OBLIGES } from '../projections/sentence-signs.ts';
import type { Found, Kind } from './items.ts';

/** What people say around what they mean is said again and again: `Going through my notes:`, `, it broke the last release`. */
const SAID: ReadonlySet<Kind> = new Set(['rule', 'correction', 'prompt', 'decision', 'finding']);
/** In so many lines, word for word. */
const AGAIN = 3;
const FIRST = /^([^,:;.!?`→]{3,90})[,:.!?]+\s+(?=\S+\s+\S+)/;
const LAST = /(?:[,;.!?]|\s[–—-])\s+([^,:;.!?`→()]{3,90})[.!?]*$/;

type Clause = (text: string) => string | undefined;
const first: Clause = (text) => FIRST.exec(text)?.[1]?.toLowerCase();
const last: Clause = (text) => LAST.exec(text)?.[1]?.toLowerCase();

/** Lines told briefly go without the clauses before and behind them that others have as well, unless they say how long or whether it holds. */
export function withoutFillers(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  const said = found.filter(({ kind, text }) => SAID.has(kind) && !text.includes('→'));
  for (const { text } of said)
    for (const clause of new Set([first(text), last(text)]))
      if (clause !== undefined) counts.set(clause, (counts.get(clause) ?? 0) + 1);
  const isFiller = (clause: string | undefined): boolean =>
    clause !== undefined &&
    (counts.get(clause) ?? 0) >= AGAIN &&
    !OBLIGES.test(clause) &&
    !LASTS.test(clause) &&
    !NEGATES.test(clause);
  const own = new Set(said);
  return found.map((item) => {
    if (!own.has(item)) return item;
    let brief = item.brief ?? item.text;
    if (isFiller(first(brief))) brief = brief.replace(FIRST, '');
    if (isFiller(last(brief))) brief = brief.replace(LAST, '');
    return brief === (item.brief ?? item.text) ? item : { ...item, brief };
  });
}

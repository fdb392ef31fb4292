import { INTENDS, LASTS, NEGATES, OBLIGES } from '../projections/sentence-patterns.ts';

/** In so many lines, word for word. */
const AGAIN = 3;
/** What stands before a colon may have commas. */
const FIRST = /^(?:([^:.!?`→]{3,120}):|([^,:;.!?`→]{3,90})[,.!?]+)\s+(?=\S+\s+\S+\s+\S)/;
const LAST = /(?:[,;.!?]|\s[–—-])\s+([^,:;.!?`→()]{3,90})[.!?]*$/;

const clauseOf = (found: RegExpExecArray | null): string | undefined =>
  (found?.[1] ?? found?.[2])?.toLowerCase();
const first = (text: string) => clauseOf(FIRST.exec(text));
const last = (text: string) => clauseOf(LAST.exec(text));

/** Of what somebody means to say, it says neither how long nor whether it holds. */
const OF_ONESELF = /^(?!.*\b(?:you|we|us|not|no|never|nobody|only|always)\b|.*n['’]t\b).*\bI\b/i;
const isAside = (clause: string): boolean =>
  INTENDS.test(clause) ||
  OF_ONESELF.test(clause) ||
  !(OBLIGES.test(clause) || LASTS.test(clause) || NEGATES.test(clause));

/** What people say around what they mean, again and again: `Back from lunch:`, `, we had that twice`. */
export class Fillers {
  readonly #counts = new Map<string, number>();

  /** @param texts as they were said */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      if (text.includes('→')) continue;
      for (const clause of new Set([first(text), last(text)]))
        if (clause !== undefined) this.#counts.set(clause, (this.#counts.get(clause) ?? 0) + 1);
    }
  }

  /** Without the clauses before and behind it that others have as well. */
  without(text: string): string {
    if (text.includes('→')) return text;
    const bare = this.#isFiller(first(text)) ? text.replace(FIRST, '') : text;
    return this.#isFiller(last(bare)) ? bare.replace(LAST, '') : bare;
  }

  #isFiller(clause: string | undefined): boolean {
    return clause !== undefined && (this.#counts.get(clause) ?? 0) >= AGAIN && isAside(clause);
  }
}

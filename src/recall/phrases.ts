import type { Found } from './item.ts';

/** What differs in names and numbers alone is the same phrase. */
const NAME = /^\S*(?:\d|[a-z][A-Z]|\w\/\w|_|\w-\w)\S*$/;
/** A script goes on, but says early what it is. */
const LOOKED_AT_CHARS = 160;

const wordsOf = (text: string): string[] =>
  text
    .slice(0, LOOKED_AT_CHARS)
    .replace(/→ (?:exit \d+|ok|failed)\b.*/s, '')
    .split(/[\s,;:()"]+/)
    .filter((word) => word !== '')
    .map((word) => (NAME.test(word) ? '#' : word.toLowerCase().replace(/[.!?]+$/, '')));

const pairsOf = (text: string): Set<string> => {
  const words = wordsOf(text);
  if (words.length < 2) return new Set(words);
  return new Set(words.slice(1).map((word, n) => `${words[n]} ${word}`));
};

/** How ordinary texts are among others: what is said or done again and again with other names is routine. */
export class Phrases {
  readonly #counts = new Map<string, number>();
  readonly #pairs = new Map<string, ReadonlySet<string>>();

  constructor(items: readonly Pick<Found, 'text'>[]) {
    for (const { text } of items) {
      const pairs = pairsOf(text);
      this.#pairs.set(text, pairs);
      for (const pair of pairs) this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + 1);
    }
  }

  /** Of one of them: in how many texts the middle one of its pairs of words stands: 1 where half of them are its own. */
  common(text: string): number {
    const counts = Array.from(this.#pairs.get(text) ?? [], (pair) => this.#counts.get(pair) ?? 1);
    counts.sort((a, b) => a - b);
    return counts[Math.floor(counts.length / 2)] ?? 1;
  }
}

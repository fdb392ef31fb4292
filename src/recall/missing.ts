import type { Item } from './items.ts';

/** A summary that has these many of an item's words tells it. Fewer, and a path or a number is likely to be missing. */
const TOLD_SHARE = 0.7;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}_./-]{2,}/gu;

/** Told by words alone: what a summary says in quite other words is rather said twice than not at all. */
export class Summary {
  readonly #words: ReadonlySet<string>;

  constructor(text: string) {
    this.#words = wordsOf(text);
  }

  /** What of an item it does not tell: of one with names those that it does not have; null when it tells all. */
  missing<T extends Item>(item: T): T | null {
    const told = item.text === '' || this.#tells(item.text);
    const { extras = [] } = item;
    const missing = extras.filter(({ text }) => !this.#names(text));
    if (told && missing.length === 0) return null;
    return extras.length === 0 ? item : { ...item, extras: missing };
  }

  #tells(text: string): boolean {
    const own = wordsOf(text);
    if (own.size === 0) return false;
    const there = [...own].filter((word) => this.#words.has(word)).length;
    return there / own.size >= TOLD_SHARE;
  }

  /** A name is told when it stands there as it is. */
  #names(name: string): boolean {
    return [...wordsOf(name)].every((word) => this.#words.has(word));
  }
}

/** Words without the punctuation around them. */
const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(WORDS), ([word]) => word.replace(/[./-]+$/, '')));

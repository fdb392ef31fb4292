import { summaryText } from '../projections/compaction-text.ts';
import { referencesIn } from '../projections/references.ts';
import type { Item } from './item.ts';

/** A summary that has these many of an item's words tells what it says, though maybe not of what or how much. */
const TOLD_SHARE = 0.7;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}_./-]{2,}|\d{2}/gu;
/** What stands in an item's text and was said by nobody. */
const MARKS =
  /\[REDACTED:[^\]]*\]|\[sub-agent \w+\] |^\w+ \(\d+ tool calls\): |^refuted by @\d+: |\(failed \d+ times/g;

/** Told by words alone: what a summary says in quite other words is rather said twice than not at all. */
export class Summary {
  readonly #text: string;
  readonly #words: ReadonlySet<string>;

  /** @param told as it was recorded: what its client says around it, tools' names and paths too, tells of no item */
  constructor(told: string) {
    const text = summaryText(told);
    this.#text = text.toLowerCase();
    this.#words = wordsOf(text);
  }

  /** What of an item it does not tell: of one with names those that it does not have; null when it tells all. */
  missing<T extends Item>(item: T): T | null {
    const told = this.says(item.text) && this.unnamed(item.text).length === 0;
    const { extras = [] } = item;
    const missing = extras.filter(({ text }) => !this.#names(text));
    if (told && missing.length === 0) return null;
    return extras.length === 0 ? item : { ...item, extras: missing };
  }

  /** Whether it has most of a text's words. */
  says(text: string): boolean {
    const own = wordsOf(text);
    if (own.size === 0) return text === '';
    const there = [...own].filter((word) => this.#words.has(word)).length;
    return there / own.size >= TOLD_SHARE;
  }

  /** Paths, names and numbers of a text that it does not have: without them it does not tell what matters of it. */
  unnamed(text: string): string[] {
    return [...referencesIn(text.replace(MARKS, ' '))].flatMap(([name, { kind }]) =>
      this.#names(name) || (kind === 'path' && this.#text.includes(name.toLowerCase()))
        ? []
        : [name],
    );
  }

  /** A name is told when it stands there as it is. */
  #names(name: string): boolean {
    return [...wordsOf(name)].every((word) => this.#words.has(word));
  }
}

/** Words without the punctuation around them. */
const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(WORDS), ([word]) => word.replace(/[./-]+$/, '')));

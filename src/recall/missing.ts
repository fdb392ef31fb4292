import type { CompactionFinished } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { toldText } from '../projections/compaction-text.ts';
import { context } from '../projections/folds/context.ts';
import type { Cut } from '../projections/gather.ts';
import { referencesIn } from '../projections/references.ts';
import { textOf } from '../projections/tools-text.ts';
import type { Item } from './item.ts';

/** Share of an item's words that a summary needs to count as saying it. */
const TOLD_SHARE = 0.7;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}_./-]{2,}|\d{2}/gu;
/** Parts of an item's text that ben10 added. */
const MARKS =
  /\[REDACTED:[^\]]*\]|\[sub-agent \w+\] |^\w+ \(\d+ tool calls\): |^refuted by @\d+: |\(failed \d+ times/g;

/** Compares words only: a summary in other words is rather repeated than missed. */
export class Summary {
  readonly #text: string;
  readonly #words: ReadonlySet<string>;

  /** @param told as recorded; the client's frame around it is removed */
  constructor(told: string) {
    const text = toldText(told);
    this.#text = text.toLowerCase();
    this.#words = wordsOf(text);
  }

  /** What the summary lacks of an item, with only its missing names; null when it lacks nothing. */
  missing<T extends Item>(item: T): T | null {
    const told = this.says(item.text) && this.unnamed(item.text).length === 0;
    const { extras = [] } = item;
    const missing = extras.filter(({ text }) => !this.#names(text));
    if (told && missing.length === 0) return null;
    return extras.length === 0 ? item : { ...item, extras: missing };
  }

  /** Whether it has most of the words. */
  says(text: string): boolean {
    const own = wordsOf(text);
    if (own.size === 0) return text === '';
    const there = [...own].filter((word) => this.#words.has(word)).length;
    return there / own.size >= TOLD_SHARE;
  }

  /** Paths, names and numbers of a text that are missing. */
  unnamed(text: string): string[] {
    return [...referencesIn(text.replace(MARKS, ' '))].flatMap(([name, { kind }]) =>
      this.#names(name) || (kind === 'path' && this.#text.includes(name.toLowerCase()))
        ? []
        : [name],
    );
  }

  #names(name: string): boolean {
    return [...wordsOf(name)].every((word) => this.#words.has(word));
  }
}

export const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(WORDS), ([word]) => word.replace(/[./-]+$/, '')));

/** The newest compaction's summary if it came after `since` (milliseconds); empty when unknown, as mostly at the session's start. */
export function summarySince(project: Project, session: string, since: number, cut: Cut): string {
  const newest = project.states.at(context, session, cut).state.conversation.compactions.at(-1);
  if (newest === undefined || newest.at < since) return '';
  // The state has only its start.
  const placed = project.states.facts(session, ['compaction.finished'], cut);
  const found = placed.findLast(({ fact }) => fact.seq === newest.seq);
  return found === undefined ? '' : (textOf((found.fact.data as CompactionFinished).summary) ?? '');
}

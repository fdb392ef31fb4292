import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import type { Cut } from '../projections/gather.ts';
import { choose } from './choose.ts';
import { findItems, type Item } from './items.ts';
import { withWorth } from './worth.ts';

/** A compaction: whose, where the state before it ends, and what was put in that state's place. */
export interface LostOptions {
  session: string;
  cut: Cut;
  summary: string;
  /** What it is about, in one sentence. */
  about: string;
  /** Characters of the text, at most. */
  budget: number;
}

export interface Lost {
  /** Items that the summary does not have, the most valuable first, as far as the budget goes. */
  items: Item[];
  /** How many it does not have, and how many it has. */
  lost: number;
  told: number;
  /** Cleaned and fenced; empty when nothing was lost. */
  text: string;
}

/** A summary that has these many of an item's words tells it. Fewer, and a path or a number is likely to be missing. */
const TOLD_SHARE = 0.7;
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}_./-]{2,}/gu;

/**
 * What a compaction dropped, of what the journal still has. Told by words alone: what a summary says in quite other words
 * counts as lost, so that it is rather said twice than not at all.
 */
export function whatWasLost(project: Project, options: LostOptions): Lost {
  const { session, cut, summary, about, budget } = options;
  const { state, seq } = project.states.at(context, session, cut);
  const known = project.states.at(evidence, session, cut).state;
  const all = withWorth(findItems(state, known));
  const lost = missingFrom(summary, all);
  const { items, text } = choose(lost, budget, { about, upto: seq });
  return { items, lost: lost.length, told: all.length - lost.length, text };
}

/** What a summary does not tell: items, and of those with names the names that it does not have. */
export function missingFrom<T extends Item>(summary: string, items: readonly T[]): T[] {
  const words = wordsOf(summary);
  return items.flatMap((item) => {
    const told = item.text === '' || isTold(item.text, words);
    const { extras = [] } = item;
    const missing = extras.filter(({ text }) => !hasAll(text, words));
    if (told && missing.length === 0) return [];
    return extras.length === 0 ? [item] : [{ ...item, extras: missing }];
  });
}

/** Words without the punctuation around them. */
const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(WORDS), ([word]) => word.replace(/[./-]+$/, '')));

function isTold(text: string, words: ReadonlySet<string>): boolean {
  const own = wordsOf(text);
  if (own.size === 0) return false;
  const there = [...own].filter((word) => words.has(word)).length;
  return there / own.size >= TOLD_SHARE;
}

/** A name is told when it stands there as it is. */
const hasAll = (name: string, words: ReadonlySet<string>): boolean =>
  [...wordsOf(name)].every((word) => words.has(word));

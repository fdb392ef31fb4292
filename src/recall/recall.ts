import type { Project } from '../project/open.ts';
import { estimateTokens } from '../projections/bounds.ts';
import { choose } from './choose.ts';
import type { Item } from './item.ts';
import {
  type Considered,
  momentOf,
  type RecallOptions,
  type RecallSource,
  type Withheld,
} from './moment.ts';
import { renderItem } from './render.ts';
import type { Weighed } from './worth.ts';

export { RECALL_SOURCES, type RecallOptions, type RecallSource } from './moment.ts';

export interface Recall {
  chars: number;
  /** Estimated. */
  tokens: number;
  items: Item[];
  /** Exactly what a hook would inject; empty when there is nothing to say. */
  text: string;
  /** True when a compaction has to be answered, so that it is recorded even that there was nothing to say. */
  owed: boolean;
}

/**
 * What a moment calls for. The client cuts hook output at 10,000 characters; a compaction's two texts together leave
 * room for its own wrapper.
 */
export const RECALL_CHARS: Record<RecallSource, number> = {
  startup: 4000,
  clear: 4000,
  // The client brings a resumed or forked conversation back by itself: only what the disk has otherwise is told.
  resume: 1500,
  fork: 1500,
  compact: 6000,
  // What a compaction's recall left over, and the line end between the two.
  prompt: 2999,
};

/** Of what may be given back at one time: a compaction's two texts are one. */
const SHARE: Partial<Record<RecallSource, number>> = { compact: 2 / 3, prompt: 1 / 3 };

/**
 * What to give back at this moment, most valuable first, within the budget. With a prompt it is what a compaction is
 * still owed, and nothing when none is.
 */
export const recallText = (project: Project, options: RecallOptions): Recall =>
  recallWith(project, options, false).recall;

/** One item, and what became of it. */
export interface Explained {
  item: Weighed;
  /** Of its line, as far as it was given; 0 where it is told by another one's. */
  chars: number;
  given: boolean;
  /** The event of the line that tells it, where that is another one's; else null. */
  inLineOf: number | null;
  /** Names that were given with it, of those that it has. */
  names: number;
  /** Why it was not given; null when it was. */
  why: Withheld | 'no room' | null;
}

/** As `recallText`, with everything that there was to choose from, the most valuable first. */
export function explainRecall(
  project: Project,
  options: RecallOptions,
): Recall & { budget: number; considered: Explained[] } {
  const { recall, considered } = recallWith(project, options, true);
  const given = new Map(recall.items.map((item) => [item.key, item]));
  const explained = considered.map(({ item, withheld }): Explained => {
    const own = given.get(item.key);
    const why = own === undefined ? (withheld ?? 'no room') : null;
    const { inLineOf = null } = own ?? {};
    const chars = inLineOf === null ? renderItem(own ?? { ...item, extras: [] }).length : 0;
    const names = own?.extras?.length ?? 0;
    return { item, chars, given: own !== undefined, inLineOf, names, why };
  });
  explained.sort((a, b) => b.item.worth - a.item.worth || b.item.seq - a.item.seq);
  return { ...recall, budget: budgetOf(options), considered: explained };
}

function budgetOf(
  { source, budget, maxChars = Number.POSITIVE_INFINITY, beside = 0 }: RecallOptions,
  again = false,
): number {
  if (budget !== undefined) return budget;
  // Nothing of a compaction's share was used.
  const moment = RECALL_CHARS[source] + (again ? RECALL_CHARS.compact : 0);
  const share = again ? 1 : (SHARE[source] ?? 1);
  return Math.max(0, Math.min(moment, Math.floor(maxChars * share)) - beside);
}

function recallWith(
  project: Project,
  options: RecallOptions,
  isExplained: boolean,
): { recall: Recall; considered: Considered[] } {
  const { source } = options;
  const moment = budgetOf(options) === 0 ? undefined : momentOf(project, options, isExplained);
  if (moment === undefined)
    return { recall: nothing(budgetOf(options) > 0 && source === 'compact'), considered: [] };
  const { considered, heading, again } = moment;
  const budget = budgetOf(options, again);
  const own = source === 'compact' || source === 'prompt';
  const offered = considered.flatMap((one) => one.offered ?? []);
  const { items, text } = choose(offered, budget, heading, source === 'prompt' && !again);
  const recall =
    items.length === 0
      ? nothing(own)
      : { chars: text.length, tokens: estimateTokens(text), items, text, owed: own };
  return { recall, considered };
}

const nothing = (owed: boolean): Recall => ({ chars: 0, tokens: 0, items: [], text: '', owed });

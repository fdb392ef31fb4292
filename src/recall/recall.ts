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
  tokens: number;
  items: Item[];
  /** Exactly what a hook would inject; may be empty. */
  text: string;
  /** A compaction awaits an answer, so even an empty one is recorded. */
  owed: boolean;
}

/** Most characters by occasion. The client cuts hook output at 10,000; a compaction's two texts leave room for its frame. */
export const RECALL_CHARS: Record<RecallSource, number> = {
  startup: 4000,
  clear: 4000,
  // The client restores these conversations itself, so only disk changes are given.
  resume: 1500,
  fork: 1500,
  compact: 6000,
  // The rest of a compaction's share, less a line end.
  prompt: 2999,
};

/** A compaction's two texts share one limit. */
const SHARE: Partial<Record<RecallSource, number>> = { compact: 2 / 3, prompt: 1 / 3 };

/** What to give back now, most valuable first. A prompt gets only what a compaction still owes. */
export const recallText = (project: Project, options: RecallOptions): Recall =>
  recallWith(project, options, false).recall;

export interface Explained {
  item: Weighed;
  /** Length of its line; 0 when another line covers it. */
  chars: number;
  given: boolean;
  /** The event of the line that covers it. */
  inLineOf: number | null;
  /** Number of its names that were given. */
  names: number;
  why: Withheld | 'no room' | null;
}

/** As `recallText`, with everything that was considered, most valuable first. */
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
  // The compaction's share is unused.
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

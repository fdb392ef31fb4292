import { hasShape } from '../events/shape.ts';
import type { JournalEvent, UsageSampled } from '../events/types.ts';
import {
  addTokens,
  type MessageUsage,
  MessageUsages,
  noTokens,
  type Tokens,
  tokenCount,
} from '../projections/message-usage.ts';
import type { Prices } from './prices.ts';

export const GROUPS = ['day', 'session', 'model'] as const;
export type Group = (typeof GROUPS)[number];

export interface Sum {
  messages: number;
  tokens: Tokens;
  /** Dollars of what has a price; null if nothing has. */
  cost: number | null;
  /** Tokens of models without a price, which the cost leaves out. */
  unpriced: number;
}

export interface Usage {
  total: Sum;
  /** By local day, by session, and by model; days in order, others with the most used first. */
  by: Record<Group, { key: string; sum: Sum }[]>;
  /** Models without a price. */
  unpriced: string[];
}

/** What the API messages of these events used and cost, each counted once. @param events of type `usage.sampled`; others are ignored */
export function tally(events: Iterable<JournalEvent>, prices: Prices): Usage {
  const usages = new MessageUsages();
  for (const event of events) {
    const { type, session, at, data } = event;
    if (type === 'usage.sampled' && hasShape(event))
      usages.add({ session, at: at ?? 0, data: data as UsageSampled });
  }
  const total = nothing();
  const sums = { day: new Map(), session: new Map(), model: new Map() } as Record<
    Group,
    Map<string, Sum>
  >;
  const unpriced = new Set<string>();
  for (const message of usages.all()) {
    const cost = prices.costOf(message.model, message.tokens);
    if (cost === undefined) unpriced.add(message.model);
    count(total, message, cost);
    const keys = { day: dayOf(message.at), session: message.session ?? '', model: message.model };
    for (const group of GROUPS) {
      const sum = sums[group].get(keys[group]) ?? nothing();
      sums[group].set(keys[group], sum);
      count(sum, message, cost);
    }
  }
  const rows = (group: Group) => Array.from(sums[group], ([key, sum]) => ({ key, sum }));
  const mostFirst = (group: Group) =>
    rows(group).sort((a, b) => worth(b.sum) - worth(a.sum) || (a.key < b.key ? -1 : 1));
  const day = rows('day').sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    total,
    by: { day, session: mostFirst('session'), model: mostFirst('model') },
    unpriced: [...unpriced].sort(),
  };
}

const nothing = (): Sum => ({ messages: 0, tokens: noTokens(), cost: null, unpriced: 0 });

function count(into: Sum, { tokens }: MessageUsage, cost: number | undefined): void {
  into.messages += 1;
  addTokens(into.tokens, tokens);
  if (cost === undefined) into.unpriced += tokenCount(tokens);
  else into.cost = (into.cost ?? 0) + cost;
}

/** Money first; tokens where there is no price. */
const worth = ({ cost, tokens }: Sum): number => (cost ?? 0) + tokenCount(tokens) / 1e12;

const two = (n: number): string => String(n).padStart(2, '0');

function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

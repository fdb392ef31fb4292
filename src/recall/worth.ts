import { byTime, type Found, type Item, type Kind } from './item.ts';
import { Phrases } from './phrases.ts';

/**
 * What a kind is worth, 0 to 100, before anything else counts. What the user said weighs more than what the model
 * said, what is open more than what is done.
 */
const BASE: Record<Kind, number> = {
  rule: 90,
  disk: 85,
  error: 78,
  task: 75,
  correction: 75,
  decision: 85,
  prompt: 85,
  finding: 85,
  file: 15,
  command: 50,
  subagent: 40,
  mention: 0,
};
/** An item this many places behind the newest of its kind has lost half of what it can lose by age. */
const HALF_LIFE: Record<Kind, number> = {
  rule: 60,
  disk: 20,
  error: 12,
  task: 60,
  correction: 10,
  decision: 30,
  prompt: 20,
  finding: 20,
  file: 12,
  command: 15,
  subagent: 10,
  mention: 20,
};
/** What age leaves, of 1: evidence does not become false by getting old, a file goes out of work. */
const AGELESS: Record<Kind, number> = {
  rule: 0.85,
  disk: 0.2,
  error: 0.7,
  task: 0.5,
  correction: 0.8,
  decision: 0.7,
  prompt: 0.75,
  finding: 0.75,
  file: 0.15,
  command: 0.75,
  subagent: 0.4,
  mention: 0.5,
};
/** What uses by later work add, as a share: the first adds most, and all together no more than the item itself. */
const REUSE = 0.2;
const REUSE_MAX = 1;
/** Less is not worth a line, however much room there is. */
const WORTH_MIN = 4;
/** Names give an item some of their worth: with one of them in, the others come cheap. */
const EXTRAS_COUNTED = 4;

/** What an item's worth is made of. */
export interface Worth {
  base: number;
  weight: number;
  recency: number;
  /** 1, or less where others differ in names and numbers alone. */
  rarity: number;
  reuse: number;
  names: number;
}

export const worthOfParts = ({ base, weight, recency, rarity, reuse, names }: Worth): number =>
  base * weight * recency * rarity * reuse + names;

/** What is said or done again and again with other names is routine. */
const ROUTINE = 0.12;
const ROUTINE_KINDS: ReadonlySet<Kind> = new Set(['prompt', 'decision', 'finding', 'command']);

function phrasesByKind(items: readonly Found[]): Map<Kind, Phrases> {
  const kinds = [...ROUTINE_KINDS].map((kind): [Kind, Phrases] => [
    kind,
    new Phrases(items.filter((item) => item.kind === kind)),
  ]);
  return new Map(kinds);
}

export type Weighed = Item & { parts: Worth };

export function withWorth(items: readonly Omit<Item, 'worth'>[]): Weighed[] {
  const ranks = new Map<Kind, number>();
  const phrases = phrasesByKind(items);
  const newestFirst = [...items].sort((a, b) => byTime(b, a));
  return newestFirst.map((item) => {
    const { kind, weight = 1, reuse = 0, extras = [] } = item;
    const rank = ranks.get(kind) ?? 0;
    ranks.set(kind, rank + 1);
    const parts = {
      base: BASE[kind],
      weight,
      recency: AGELESS[kind] + (1 - AGELESS[kind]) * 0.5 ** (rank / HALF_LIFE[kind]),
      reuse: 1 + Math.min(REUSE_MAX, REUSE * Math.log2(1 + reuse)),
      rarity: 1 / (1 + ROUTINE * ((phrases.get(kind)?.common(item.text) ?? 1) - 1)),
      names: extras.slice(0, EXTRAS_COUNTED).reduce((sum, { worth }) => sum + worth / 2, 0),
    };
    return { ...item, worth: worthOfParts(parts), parts };
  });
}

/** Names make their line worth something one by one. */
export const isWorthALine = ({ worth, extras = [] }: Weighed): boolean =>
  worth >= WORTH_MIN || extras.length > 0;

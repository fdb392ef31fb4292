import { byTime, type Found, type Item, type Kind } from './item.ts';

/** Base worth of a kind, 0 to 100: user before model, open before done. */
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
/** Places behind the newest of its kind that halve what age can take. */
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
/** What age cannot take: evidence stays true, files go out of use. */
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
/** What later uses add, as a share of the item's worth. */
const REUSE = 0.2;
const REUSE_MAX = 1;
/** Less is not worth a line. */
const WORTH_MIN = 4;
/** Names that add to an item's worth. */
const EXTRAS_COUNTED = 4;

export interface Worth {
  base: number;
  weight: number;
  recency: number;
  /** Below 1 for common phrases. */
  rarity: number;
  reuse: number;
  names: number;
}

const worthOfParts = ({ base, weight, recency, rarity, reuse, names }: Worth): number =>
  base * weight * recency * rarity * reuse + names;

/** Discount for common phrases. */
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
  return withCommand(
    newestFirst.map((item) => {
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
    }),
  );
}

/** What only looks around has less. */
const COMMAND_WEIGHT_MIN = 0.2;

/** A session of commands that are all alike has none that is worth a line: the best one has its place. */
function withCommand(items: readonly Weighed[]): Weighed[] {
  const commands = items.filter(
    ({ kind, weight = 1 }) => kind === 'command' && weight >= COMMAND_WEIGHT_MIN,
  );
  const best = Math.max(...commands.map(({ worth }) => worth));
  const one = commands.find(({ worth }) => worth === best);
  return items.map((item) => (item === one ? { ...item, sure: true } : item));
}

/** Lines of names are always worth it. */
export const isWorthALine = ({ worth, extras = [] }: Weighed): boolean =>
  worth >= WORTH_MIN || extras.length > 0;

/** Names and numbers do not make a phrase different. */
const NAME = /^\S*(?:\d|[a-z][A-Z]|\w\/\w|_|\w-\w)\S*$/;
/** The start of a script says what it is. */
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

/** How common texts are: repeated phrases with other names are routine. */
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

  /** In how many texts the median pair of words occurs. */
  common(text: string): number {
    const counts = Array.from(this.#pairs.get(text) ?? [], (pair) => this.#counts.get(pair) ?? 1);
    counts.sort((a, b) => a - b);
    return counts[Math.floor(counts.length / 2)] ?? 1;
  }
}

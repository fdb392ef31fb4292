import { fieldOf, keyOf } from '../bounds.ts';
import { type ReferenceKind, referencesIn } from '../references.ts';

/**
 * One path, name or number, and how much the work leans on it. Weights are whole numbers, thousandths, so that a fold gives
 * the same on every machine.
 */
export interface NameRecord {
  kind: ReferenceKind;
  /** The file in which, or in an edit of which, it was seen last; null elsewhere. */
  home: string | null;
  /** Of the event that said it last. */
  seq: number;
  /** See `EvidenceState.tick`; when the weights were worked out last. */
  tick: number;
  /** Mentions, each worth half after some steps, and after many. */
  fast: number;
  slow: number;
  /** Mentions by the user or the agent, not by the answers of tools. */
  uses: number;
  /** Of its first mention, where known: what a rewind cuts at. */
  pos: number | null;
}

const NAMES_MAX = 1400;
/** Dropped together, so that not every event sorts them. */
const NAMES_SLACK = 800;
const NAMES_CHARS_MAX = 60_000;
/** Steps (messages and calls) after which a mention counts half. */
const FAST_STEPS = 12;
const SLOW_STEPS = 160;
const UNIT = 1000;

/** What a mention counts by who made it. */
export const MENTION = { user: 4, agent: 3, input: 3, answer: 1 } as const;
export type Mentioner = keyof typeof MENTION;

/** More names than this in one text share what it counts: a listing says little of each. */
const SHARED_FROM = 25;

export interface Mention {
  by: Mentioner;
  seq: number;
  tick: number;
  home: string | null;
  pos: number | null;
}

export const decayed = (weight: number, steps: number, half: number): number =>
  Math.round(weight * 0.5 ** (steps / half));

/** How much the work leans on it at that step. */
export const activation = (record: NameRecord, tick: number): number =>
  decayed(record.fast, tick - record.tick, FAST_STEPS) +
  decayed(record.slow, tick - record.tick, SLOW_STEPS);

/** @returns how many of them are new */
export function mention(names: Record<string, NameRecord>, text: string, by: Mention): number {
  const found = referencesIn(text);
  const share = by.by === 'answer' ? Math.min(1, SHARED_FROM / found.size) : 1;
  const isUse = by.by !== 'answer';
  let added = 0;
  for (const [name, { kind, count }] of found) {
    const weight = Math.round(UNIT * MENTION[by.by] * share * (1 + Math.log2(count) / 2));
    const known = fieldOf(names, name);
    if (known === undefined) {
      added += 1;
      const { home, seq, tick, pos } = by;
      const uses = isUse ? 1 : 0;
      names[keyOf(name)] = { kind, home, seq, tick, fast: weight, slow: weight, uses, pos };
      continue;
    }
    const steps = by.tick - known.tick;
    known.home = by.home ?? known.home;
    known.seq = by.seq;
    known.tick = by.tick;
    known.fast = decayed(known.fast, steps, FAST_STEPS) + weight;
    known.slow = decayed(known.slow, steps, SLOW_STEPS) + weight;
    known.uses += isUse ? 1 : 0;
  }
  return added;
}

export const areTooMany = (count: number): boolean => count > NAMES_MAX + NAMES_SLACK;

/** The names that are leaned on most, when there are too many. */
export function strongestNames(
  names: Record<string, NameRecord>,
  tick: number,
): Record<string, NameRecord> {
  const all = Object.entries(names).map(([name, record]) => ({
    name,
    record,
    strength: activation(record, tick),
  }));
  all.sort((a, b) => b.strength - a.strength || b.record.seq - a.record.seq);
  let chars = 0;
  const kept = all.slice(0, NAMES_MAX).filter(({ name }) => {
    chars += name.length;
    return chars <= NAMES_CHARS_MAX;
  });
  return Object.fromEntries(kept.map(({ name, record }) => [name, record]));
}

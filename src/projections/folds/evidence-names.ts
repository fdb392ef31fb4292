import { type ReferenceKind, referencesIn } from '../references.ts';

/** A path, name or number, and how much the work relies on it. Weights are integers, so a fold is the same on every machine. */
export interface Name {
  kind: ReferenceKind;
  /** The file in which it was seen last. */
  home: string | null;
  seq: number;
  /** `EvidenceState.tick` of the last mention. */
  tick: number;
  /** Mentions, decaying fast and slowly. */
  fast: number;
  slow: number;
  /** Mentions by the user or the agent. */
  uses: number;
  /** Of its first mention, where known, to compare with a rewind's. */
  pos: number | null;
}

/** Stored as eight numbers a name: kind, home (index into homes; -1 for none), seq, tick, fast, slow, uses, pos (-1 for null). */
const FIELDS = 8;
const [KIND, HOME, SEQ, TICK, FAST, SLOW, USES, POS] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Stored as one text and one list of numbers, which a session's start reads many times faster than a thousand objects. */
export interface Names {
  texts: string;
  numbers: number[];
  homes: string[];
}

const KINDS: readonly ReferenceKind[] = ['path', 'name', 'number'];
export const noNames = (): Names => ({ texts: '', numbers: [], homes: [] });

/** Where each name's numbers begin; derived from the names when they are folded on. */
const indexes = new WeakMap<Names, Map<string, number>>();

function indexOf(names: Names): Map<string, number> {
  let index = indexes.get(names);
  if (index === undefined) {
    index = new Map(textsOf(names).map((text, n) => [text, n * FIELDS]));
    indexes.set(names, index);
  }
  return index;
}

const textsOf = ({ texts }: Names): string[] =>
  texts === '' ? [] : texts.slice(0, -1).split('\n');

export const allNames = (names: Names): [string, Name][] =>
  textsOf(names).map((text, n) => [text, nameAt(names, n * FIELDS)]);

export function findName(names: Names, text: string): Name | undefined {
  const at = indexOf(names).get(text);
  return at === undefined ? undefined : nameAt(names, at);
}

function nameAt({ numbers, homes }: Names, at: number): Name {
  const of = (field: number) => numbers[at + field]!;
  return {
    kind: KINDS[of(KIND)]!,
    home: homes[of(HOME)] ?? null,
    seq: of(SEQ),
    tick: of(TICK),
    fast: of(FAST),
    slow: of(SLOW),
    uses: of(USES),
    pos: of(POS) < 0 ? null : of(POS),
  };
}

const NAMES_MAX = 1400;
/** Removed together, so that not every event sorts them. */
const NAMES_SLACK = 800;
const NAMES_CHARS_MAX = 60_000;
/** Steps (messages and calls) after which a mention counts half. */
const FAST_STEPS = 12;
const SLOW_STEPS = 160;
const UNIT = 1000;

/** A mention's weight by who made it. */
const MENTION = { user: 4, agent: 3, input: 3, answer: 1 } as const;
export type Mentioner = keyof typeof MENTION;

/** More names than this in one text share its weight: a listing says little about each. */
const SHARED_FROM = 25;

interface Mention {
  by: Mentioner;
  seq: number;
  tick: number;
  home: string | null;
  pos: number | null;
}

const decayed = (weight: number, steps: number, half: number): number =>
  Math.round(weight * 0.5 ** (steps / half));

/** How much the work relies on it at that step. */
export const activation = (
  { fast, slow, tick: last }: Pick<Name, 'fast' | 'slow' | 'tick'>,
  tick: number,
): number => decayed(fast, tick - last, FAST_STEPS) + decayed(slow, tick - last, SLOW_STEPS);

export function mention(names: Names, text: string, by: Mention): Names {
  const found = referencesIn(text);
  const share = by.by === 'answer' ? Math.min(1, SHARED_FROM / found.size) : 1;
  const use = by.by === 'answer' ? 0 : 1;
  const home = by.home === null ? -1 : homeOf(names, by.home);
  const index = indexOf(names);
  const { numbers } = names;
  for (const [name, { kind, count }] of found) {
    const weight = Math.round(UNIT * MENTION[by.by] * share * (1 + Math.log2(count) / 2));
    const at = index.get(name);
    if (at === undefined) {
      index.set(name, numbers.length);
      names.texts += `${name}\n`;
      const { seq, tick, pos } = by;
      numbers.push(KINDS.indexOf(kind), home, seq, tick, weight, weight, use, pos ?? -1);
      continue;
    }
    const steps = by.tick - numbers[at + TICK]!;
    if (home !== -1) numbers[at + HOME] = home;
    numbers[at + SEQ] = by.seq;
    numbers[at + TICK] = by.tick;
    numbers[at + FAST] = decayed(numbers[at + FAST]!, steps, FAST_STEPS) + weight;
    numbers[at + SLOW] = decayed(numbers[at + SLOW]!, steps, SLOW_STEPS) + weight;
    numbers[at + USES]! += use;
  }
  return index.size > NAMES_MAX + NAMES_SLACK ? strongest(names, by.tick) : names;
}

function homeOf({ homes }: Names, file: string): number {
  const index = homes.indexOf(file);
  return index === -1 ? homes.push(file) - 1 : index;
}

function strongest(names: Names, tick: number): Names {
  const all = allNames(names).map(([text, name]) => ({
    text,
    name,
    strength: activation(name, tick),
  }));
  all.sort((a, b) => b.strength - a.strength || b.name.seq - a.name.seq);
  let chars = 0;
  const kept = all.slice(0, NAMES_MAX).filter(({ text }) => {
    chars += text.length;
    return chars <= NAMES_CHARS_MAX;
  });
  return namesOf(kept.map(({ text, name }) => [text, name]));
}

export const namesWhere = (names: Names, keeps: (name: Name, text: string) => boolean): Names =>
  namesOf(allNames(names).filter(([text, name]) => keeps(name, text)));

function namesOf(kept: readonly (readonly [string, Name])[]): Names {
  const names = noNames();
  names.texts = kept.map(([text]) => `${text}\n`).join('');
  for (const [, { kind, home, seq, tick, fast, slow, uses, pos }] of kept) {
    const where = home === null ? -1 : homeOf(names, home);
    names.numbers.push(KINDS.indexOf(kind), where, seq, tick, fast, slow, uses, pos ?? -1);
  }
  return names;
}

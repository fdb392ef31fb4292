import { LITERALS } from '../../src/capture/redaction/table/literals.ts';
import { allSigns } from '../../src/capture/redaction/table/token-at.ts';

/** Where `scanner.wat` has them. */
const FILTER = 384;
const LITERAL_HEADS = 512;
const TOKEN_HEADS = 2560;
const MORE_FILTER = 4608;
const ENTRIES = 4704;
const KEY_WORDS = 12_544;
/** Literals are told from other text by this many characters, tokens by two. */
const START_CHARS = 3;
/** Beside the kind of a literal that has no more characters than these. */
const OF_THREE = 0x80;
const GROUPS = 16;
const MOVES = 600_000;

interface Literal {
  kind: number;
  word: string;
}

export const allLiterals = (): Literal[] =>
  Object.entries(LITERALS).flatMap(([kind, words]) =>
    words.map((word) => ({ kind: Number(kind), word })),
  );

/** As the scanner reads a literal's beginning, whatever the case of its letters. */
const startOf = ({ word }: Literal): string =>
  [...word.slice(0, START_CHARS)]
    .map((char) => String.fromCharCode(char.charCodeAt(0) | 0x20))
    .join('');

function hash(text: string): number {
  const bytes = [...text].reduce((sum, char, at) => sum | (char.charCodeAt(0) << (8 * at)), 0);
  return Math.imul(bytes, 0x9e3779b1) >>> 22;
}

/** Adds a literal to the filter's tables of a group, or takes it away: of its first characters the lower halves, then the upper. */
function count({ kind, word }: Literal, tables: Int16Array, times: number): void {
  for (let at = 0; at < START_CHARS; at += 1) {
    const char = word.charCodeAt(at);
    const other = (kind & 0x20) === 0 ? char : char ^ 0x20;
    tables[at * 32 + (char & 15)]! += times;
    for (const half of new Set([char >> 4, other >> 4])) tables[at * 32 + 16 + half]! += times;
  }
}

/** How often three characters follow each other in a text, the commonest of them. */
function triplesOf(text: string): [first: number, second: number, third: number, times: number][] {
  const times = new Map<string, number>();
  for (let at = 0; at + START_CHARS <= text.length; at += 1) {
    const triple = text.slice(at, at + START_CHARS);
    times.set(triple, (times.get(triple) ?? 0) + 1);
  }
  return [...times]
    .filter(([triple]) => /^[\0-\x7f]*$/.test(triple))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4000)
    .map(([triple, count]) => [
      triple.charCodeAt(0),
      triple.charCodeAt(1),
      triple.charCodeAt(2),
      count,
    ]);
}

/**
 * The filter's tables, of sixteen groups of literals: it lets through whatever has, at each of three places, a lower and an upper
 * half of one group's. Which start is in which group decides how much of ordinary text that is. Found by moving starts at
 * random, at first also to where they let through more (simulated annealing).
 */
function filterOf(literals: readonly Literal[], ordinary: string): Int16Array[] {
  const byStart = new Map<string, Literal[]>();
  for (const literal of literals)
    byStart.set(startOf(literal), [...(byStart.get(startOf(literal)) ?? []), literal]);
  const starts = [...byStart.values()].map((words) => ({ words, group: 0 }));
  const triples = triplesOf(ordinary);
  const through = (t: Int16Array): number => {
    let sum = 0;
    for (const [a, b, c, times] of triples) {
      if (t[a & 15] && t[16 + (a >> 4)] && t[32 + (b & 15)] && t[48 + (b >> 4)])
        if (t[64 + (c & 15)] && t[80 + (c >> 4)]) sum += times;
    }
    return sum;
  };
  const groups = Array.from({ length: GROUPS }, () => ({ tables: new Int16Array(96), cost: 0 }));
  const move = (start: (typeof starts)[number], group: number, times: number) => {
    for (const literal of start.words) count(literal, groups[group]!.tables, times);
  };
  let seed = 4; // of those tried the one that lets through the least
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (const start of starts) {
    start.group = Math.floor(random() * GROUPS);
    move(start, start.group, 1);
  }
  for (const group of groups) group.cost = through(group.tables);
  for (let step = 0; step < MOVES; step += 1) {
    const start = starts[Math.floor(random() * starts.length)]!;
    const from = start.group;
    const to = Math.floor(random() * GROUPS);
    if (to === from) continue;
    move(start, from, -1);
    move(start, to, 1);
    const costs = [through(groups[from]!.tables), through(groups[to]!.tables)] as const;
    const more = costs[0] + costs[1] - groups[from]!.cost - groups[to]!.cost;
    const heat = ordinary.length * 0.001 * (1 - step / MOVES) ** 2;
    if (more <= 0 || random() < Math.exp(-more / heat)) {
      start.group = to;
      groups[from]!.cost = costs[0];
      groups[to]!.cost = costs[1];
    } else {
      move(start, to, -1);
      move(start, from, 1);
    }
  }
  return groups.map(({ tables }) => tables);
}

/**
 * The tables behind `FILTER` in the scanner's memory. A word's entry is the place of the next of its list (two bytes), its kind,
 * its characters and a tab; a list's head is the place of its first entry's characters.
 * @param ordinary text like most of what is searched
 */
export function scannerTables(ordinary: string): Buffer {
  const memory = Buffer.alloc(64 * 1024);
  const literals = allLiterals();
  for (const [group, tables] of filterOf(literals, ordinary).entries()) {
    const filter = group < 8 ? FILTER : MORE_FILTER;
    for (const [at, times] of tables.entries())
      if (times > 0) memory[filter + at]! |= 1 << (group % 8);
  }
  let end = ENTRIES;
  const add = (head: number, kind: number, word: string) => {
    memory.writeUInt16LE(memory.readUInt16LE(head), end);
    memory[end + 2] = kind;
    memory.writeUInt16LE(end + 3, head);
    end += 3 + memory.write(`${word}\t`, end + 3, 'latin1');
  };
  for (const literal of literals)
    add(
      LITERAL_HEADS + 2 * hash(startOf(literal)),
      literal.kind | (literal.word.length === START_CHARS ? OF_THREE : 0),
      literal.word,
    );
  for (const sign of allSigns()) add(TOKEN_HEADS + 2 * hash(sign.slice(0, 2)), 0, sign);
  if (end > KEY_WORDS)
    throw new RangeError(`the words end at ${end}, others begin at ${KEY_WORDS}`);
  return memory.subarray(FILTER, end);
}

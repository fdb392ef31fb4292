/**
 * Refuses regular expressions of a configuration that could take more than linear time: a hook has 5 s, and JavaScript
 * cannot stop a match. The rule is about the pattern alone, so it is the same for every text:
 *
 * - a repetition without an upper bound (`*`, `+`, `{2,}`) stands only at the very end of the pattern or of an
 *   alternative that ends it, and what it repeats can match in one way only; elsewhere only where it repeats one character, and
 *   one that it cannot match must stand before it, behind the last such repetition (`acme-[a-z]+-[0-9]{6}`): then the stretches that
 *   it reads from different places never overlap;
 * - the number of ways in which the rest can match at one place (`{m,n}`, `?` and `|` multiply) is at most `WAYS_MAX`,
 *   and its length at most `LENGTH_MAX`;
 * - no back references.
 *
 * So each start costs a bounded number of steps, and what an unbounded end reads is part of the match. A pattern that is
 * only ever compared with the whole of a short text has one start, so up to `OPEN_MAX` such repetitions may stand anywhere.
 */
export const WAYS_MAX = 256;

/**
 * Characters that the bounded part may match. `\w{256}!` costs 2 s on a text of 1 MiB that holds no `!`, which is the worst
 * that this and `WAYS_MAX` let through. Also keeps `(?:a{999}){999}` from being compiled.
 */
export const LENGTH_MAX = 256;

/** Repetitions without an upper bound when a whole text is compared: each multiplies the steps by the text's length. */
export const OPEN_MAX = 2;

interface Cost {
  ways: number;
  length: number;
  /** Repetitions without an upper bound in it, behind which nothing may stand. */
  open: number;
  /** Those behind which something may. */
  guarded: number;
}

class Refused extends Error {}

const NOTHING: Cost = { ways: 1, length: 0, open: 0, guarded: 0 };
const ONE: Cost = { ways: 1, length: 1, open: 0, guarded: 0 };

/**
 * Why the pattern is refused, or undefined. `source` must be valid with `flags`; `whole` says that it is compared with
 * short texts as a whole and never searched for. Never quotes the pattern.
 */
export function whyRefused(source: string, flags: string, whole = false): string | undefined {
  try {
    const reader = { source, at: 0, flags, unicode: flags.includes('u'), whole };
    const { ways, length, open } = alternatives(reader);
    if (open > OPEN_MAX && whole)
      return `it has more than ${OPEN_MAX} repetitions without an upper bound`;
    if (ways > WAYS_MAX) return `it can match in more than ${WAYS_MAX} ways at one place`;
    return length > LENGTH_MAX
      ? `what it matches may be longer than ${LENGTH_MAX} characters`
      : undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

interface Reader {
  readonly source: string;
  at: number;
  readonly flags: string;
  readonly unicode: boolean;
  readonly whole: boolean;
}

function alternatives(reader: Reader): Cost {
  const total = sequence(reader);
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    const next = sequence(reader);
    total.ways += next.ways;
    total.length = Math.max(total.length, next.length);
    total.open += next.open;
    total.guarded += next.guarded;
  }
  return total;
}

function sequence(reader: Reader): Cost {
  const total = { ...NOTHING };
  /** Characters that must stand behind the last repetition without an upper bound. */
  let barrier = '';
  for (;;) {
    const char = reader.source[reader.at];
    if (char === undefined || char === '|' || char === ')') return total;
    if (total.open > 0 && !reader.whole) {
      throw new Refused(
        'a repetition without an upper bound stands before its end (use {0,64} or the like)',
      );
    }
    const start = reader.at;
    const one = atom(reader);
    const source = reader.source.slice(start, reader.at);
    const next = repeated(reader, one, () => isKeptApart(reader, source, barrier));
    const isGuarded = next.guarded > one.guarded;
    const isOnce = reader.source.slice(start, reader.at) === source;
    barrier = isGuarded ? '' : barrier + (isOnce ? literalOf(source) : '');
    total.ways *= next.ways;
    total.length += next.length;
    total.open += next.open;
    total.guarded += next.guarded;
  }
}

/** The one character that an atom matches; nothing where it is another kind of atom. */
const literalOf = (source: string): string =>
  /^(?:[^\\.^$[(]|\\[^A-Za-z0-9])$/u.test(source) ? source.at(-1)! : '';

/** Whether an atom is one character, and one of these is none that it matches. */
function isKeptApart({ flags, whole }: Reader, source: string, barrier: string): boolean {
  if (whole || barrier === '' || source.startsWith('(')) return false;
  const one = new RegExp(`^(?:${source})$`, flags.replace('m', ''));
  return [...barrier].some((char) => !one.test(char));
}

const GROUP_START = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;

function atom(reader: Reader): Cost {
  const { source } = reader;
  const char = source[reader.at];
  if (char === '\\') return escaped(reader);
  if (char === '[') return characterClass(reader);
  if (char !== '(') {
    reader.at += reader.unicode ? charAt(source, reader.at).length : 1;
    return ONE;
  }
  GROUP_START.lastIndex = reader.at;
  const start = GROUP_START.exec(source)?.[0] ?? '(';
  if (start === '(' && source[reader.at + 1] === '?')
    throw new Refused('it has a kind of group that is not supported');
  reader.at += start.length;
  const cost = alternatives(reader);
  reader.at += 1;
  if (cost.open + cost.guarded > 0 && /[=!]$/.test(start)) {
    throw new Refused('a lookaround holds a repetition without an upper bound');
  }
  return cost;
}

/** With the `u` flag two halves are one character, written as they are or by their numbers. */
const charAt = (source: string, at: number): string =>
  String.fromCodePoint(source.codePointAt(at)!);
const PAIR = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y;

/** All of an escape is one character: a digit of it that was taken for the next one would seem to keep what follows apart. */
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|0[0-7]{0,2}|[\s\S])/y;
const WITH_BRACES = /\\[pPu]\{[^}]*\}/y;

function escaped(reader: Reader): Cost {
  if (/[1-9k]/.test(reader.source[reader.at + 1] ?? ''))
    throw new Refused('it has a back reference');
  const kinds = reader.unicode ? [PAIR, WITH_BRACES, ESCAPE] : [ESCAPE];
  for (const kind of kinds) {
    kind.lastIndex = reader.at;
    if (!kind.test(reader.source)) continue;
    reader.at = kind.lastIndex;
    break;
  }
  return ONE;
}

function characterClass(reader: Reader): Cost {
  reader.at += 1;
  while (reader.source[reader.at] !== ']') reader.at += reader.source[reader.at] === '\\' ? 2 : 1;
  reader.at += 1;
  return ONE;
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;

/** @param isKeptApart whether something may stand behind, where there is no upper bound */
function repeated(reader: Reader, cost: Cost, isKeptApart: () => boolean): Cost {
  QUANTIFIER.lastIndex = reader.at;
  const found = QUANTIFIER.exec(reader.source);
  if (found === null) return cost;
  reader.at = QUANTIFIER.lastIndex;
  const [, sign, from = '', comma, to = ''] = found;
  const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
  const bound = sign === '?' ? 1 : comma === '' ? min : to === '' ? Infinity : Number(to);
  const max = sign === '*' || sign === '+' ? Infinity : bound;
  if (cost.open + cost.guarded > 0 && max > 1)
    throw new Refused('a repetition without an upper bound is repeated');
  if (max === Infinity) {
    if (cost.ways > 1)
      throw new Refused('what it repeats without an upper bound can match in several ways');
    const isGuarded = isKeptApart();
    const ends = isGuarded ? { open: 0, guarded: 1 } : { open: 1, guarded: 0 };
    return { ways: 1, length: cost.length * (min + 1), ...ends };
  }
  const { open, guarded } = cost;
  return { ways: waysOf(cost.ways, min, max), length: cost.length * max, open, guarded };
}

/** The number of ways of `min` to `max` repetitions of what has `ways`; beyond the limit it does not matter how far. */
function waysOf(ways: number, min: number, max: number): number {
  if (ways === 1) return max - min + 1;
  let total = 0;
  for (let times = min; times <= max && total <= WAYS_MAX; times += 1) total += ways ** times;
  return total;
}

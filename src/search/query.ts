import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import { oneLine } from '../projections/safe-text.ts';
import { wordsOf } from './analyze.ts';
import { KINDS, type Kind } from './document.ts';

/** Phrases, paths and words to be left out: each is looked for in the text of every candidate. */
const CONDITIONS_MAX = 20;
const CONDITION_CHARS_MAX = 500;
/** What is read of a query; somebody may have pasted a whole log. */
const QUERY_CHARS_MAX = 20_000;

/** What must stand in a document, or must not. */
export interface Condition {
  text: string;
  /** As the index has them: a document without one of these does not have the text. */
  terms: readonly string[];
  isNot: boolean;
  /** Only in the paths of its files. */
  isPath: boolean;
}

export interface ParsedQuery {
  /** Words of which any may match, as they were typed, with their terms in the index. */
  words: ReadonlyMap<string, readonly string[]>;
  conditions: readonly Condition[];
  /** Words that must not occur, in any form. */
  not: readonly (readonly string[])[];
  /** Undefined for all. */
  kinds: ReadonlySet<Kind> | undefined;
  /** Conditions beyond the limit. */
  leftOut: number;
}

/** An optional `-`, an optional `path:` or `kind:`, then a text in quotes or up to the next blank. */
const PART = /(-(?=[^\s-]))?(?:(path|kind):(?=\S))?(?:"([^"]*)"|(\S+))/gi;

/**
 * Reads a query as people type it: words, `"an exact phrase"`, `-word`, `-"a phrase"`, `path:src/db.ts`, `kind:edit`. A quote
 * without its other half is a sign like any other.
 * @throws Ben10Error USAGE for an unknown kind
 */
export function parseQuery(text: string): ParsedQuery {
  const words = new Map<string, readonly string[]>();
  const conditions: Condition[] = [];
  const not: (readonly string[])[] = [];
  const wanted = new Set<Kind>();
  const unwanted = new Set<Kind>();
  for (const [, minus, prefix, quoted, plain = ''] of text
    .slice(0, QUERY_CHARS_MAX)
    .matchAll(PART)) {
    const value = quoted ?? plain;
    const isNot = minus !== undefined;
    if (prefix?.toLowerCase() === 'kind') {
      for (const kind of kindsOf(value)) (isNot ? unwanted : wanted).add(kind);
    } else if (isNot || prefix !== undefined || quoted !== undefined) {
      const found = conditionOf(value, { isNot, isPath: prefix !== undefined });
      const [word, more] = wordsOf(value);
      if (word === undefined) continue;
      if (value !== plain || prefix !== undefined || more !== undefined) conditions.push(found);
      else not.push(word.terms.slice(0, 1));
    } else {
      for (const { start, end, terms } of wordsOf(value)) words.set(value.slice(start, end), terms);
    }
  }
  const from = wanted.size > 0 ? [...wanted] : KINDS;
  const kinds = new Set(from.filter((kind) => !unwanted.has(kind)));
  return {
    words,
    conditions: conditions.slice(0, CONDITIONS_MAX),
    not: not.slice(0, CONDITIONS_MAX),
    kinds: kinds.size === KINDS.length ? undefined : kinds,
    leftOut: [conditions, not].reduce(
      (n, { length }) => n + Math.max(0, length - CONDITIONS_MAX),
      0,
    ),
  };
}

/**
 * Only-unwanted words are no question; kinds alone ask for the newest. Signs are one that nothing answers.
 * @throws Ben10Error USAGE
 */
export function refuseNothing(text: string, { words, conditions, not, kinds }: ParsedQuery): void {
  const isAsked = words.size > 0 || kinds !== undefined || conditions.some(({ isNot }) => !isNot);
  const isLimited = conditions.length > 0 || not.length > 0;
  if (isAsked || !(isLimited || text.trim() === '')) return;
  const what = 'a search needs something to look for: a word, a "phrase", a path or a kind';
  throw new Ben10Error('USAGE', what, { next: 'For example: ben10 search why postgres' });
}

/** Its words and those of its phrases, without any conditions. */
export const wordsAlone = ({ words, conditions }: ParsedQuery): string =>
  [
    ...words.keys(),
    ...conditions.flatMap(({ text, isNot, isPath }) =>
      isNot || isPath ? [] : wordsOf(text).map(({ start, end }) => text.slice(start, end)),
    ),
  ].join(' ');

/** A place is looked for anywhere in a path: what says so is no part of it, as in `./a.ts`, `*.ts` and `src/*`. */
const AROUND_PATH = /^(?:\.\/|\*+\/?)+|\/?\*+$/g;

export function conditionOf(
  given: string,
  { isNot = false, isPath = false }: { isNot?: boolean; isPath?: boolean } = {},
): Condition {
  const whole = given.slice(0, CONDITION_CHARS_MAX);
  const text = (isPath && whole.replace(AROUND_PATH, '')) || whole;
  const terms = wordsOf(text)
    // In the text the words may be parts of a longer name.
    .flatMap((word) => (word.terms.length > 1 ? word.terms.slice(1) : word.terms));
  return { text, terms, isNot, isPath };
}

/** Of `edit,call`. @throws Ben10Error USAGE with the nearest one */
export const kindsOf = (text: string): Kind[] => text.split(',').filter(Boolean).map(kindOf);

function kindOf(text: string): Kind {
  const kind = KINDS.find((one) => one === text.toLowerCase());
  if (kind !== undefined) return kind;
  const near = nearName(text, KINDS);
  const hint = near === undefined ? '' : `; the nearest is "${near}"`;
  const what = `there is no kind "${oneLine(text).slice(0, 40)}"${hint}`;
  throw new Ben10Error('USAGE', what, { next: `The kinds are: ${KINDS.join(' ')}` });
}

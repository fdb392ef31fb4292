import { Ben10Error } from '../platform/errors.ts';
import { timed } from '../platform/timed.ts';
import { ERASED } from '../projections/safe-text.ts';
import { unescaped } from './decoded.ts';
import { type Finder, SECRET_CHARS_MIN } from './finder.ts';
import { textFinder } from './text-finder.ts';

/** Distinct matches of one pattern: more are no leaked secret. */
export const MATCHES_MAX = 1000;

const REGEX = /^\/(.*)\/([gimsu]*)$/s;

/** What a person looks for. */
export interface Wanted {
  /** As given, with slashes: a secret in base64 may begin and end with one. */
  text: string;
  /** The pattern between slashes: it is matched with texts first. */
  pattern?: RegExp;
}

/**
 * Reads `TEXT` or `/pattern/flags`. No error message contains what was given.
 * @throws Ben10Error USAGE
 */
export function parsePattern(given: string): Wanted {
  if (given.trim() === '') throw refused('the pattern is empty');
  const regex = REGEX.exec(given);
  if (regex !== null) {
    const [, source = '', flags = ''] = regex;
    try {
      // Every match goes, so the flag g is added.
      const pattern = new RegExp(source, flags.includes('g') ? flags : `g${flags}`);
      if (!pattern.test('')) return { text: given, pattern };
    } catch {
      throw refused('not a valid regular expression');
    }
    throw matchesNothing();
  }
  if (ERASED.includes(given)) {
    throw refused(`that text is part of "${ERASED}", which replaces erased text`);
  }
  if (given.length < SECRET_CHARS_MIN) {
    throw refused(`that text is too short: ${SECRET_CHARS_MIN} characters are the least`);
  }
  return { text: given };
}

const refused = (message: string): Ben10Error =>
  new Ben10Error('USAGE', message, { next: 'How it is used: ben10 erase --help' });

const matchesNothing = (): Ben10Error =>
  refused('that pattern can match an empty text, so it matches everywhere');

/**
 * Matches a pattern with texts, also decoded. Each match is then looked for in every form.
 * @param found receives the matches
 * @throws Ben10Error LIMIT_EXCEEDED for too many matches or too much time, USAGE for a match that is too short
 */
export function meet(pattern: RegExp, texts: Iterable<string>, found: Set<string>): void {
  for (const views of batchesOf(texts)) {
    const all = () =>
      views.flatMap((view) => Array.from(view.matchAll(pattern), ([match]) => match));
    for (const match of inTime(all)) {
      if (match === '') throw matchesNothing();
      // A part of the marker would be put there again and again.
      if (!ERASED.includes(match)) found.add(match);
    }
    assertFew(found, 'pattern');
  }
  if ([...found].some((text) => text.length < SECRET_CHARS_MIN)) {
    throw refused(
      `that pattern matches a text of fewer than ${SECRET_CHARS_MIN} characters, which occurs everywhere`,
    );
  }
}

/** Characters of a batch: watching the time costs more than matching a short text. */
const BATCH_CHARS = 1024 * 1024;

/** A text as it is, and without escapes. */
export const viewsOf = (text: string): string[] => [...new Set([text, unescaped(text)])];

/** All views of the texts, in batches. */
function* batchesOf(texts: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const text of texts) {
    for (const view of viewsOf(text)) {
      batch.push(view);
      chars += view.length;
      if (chars < BATCH_CHARS) continue;
      yield batch;
      batch = [];
      chars = 0;
    }
  }
  yield batch;
}

/** A sound pattern needs milliseconds for a batch. */
const MATCH_MS_MAX = 5000;

/** @throws Ben10Error LIMIT_EXCEEDED */
function inTime<T>(match: () => T): T {
  const done = timed(match, MATCH_MS_MAX);
  if (done !== undefined) return done.value;
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `the pattern takes more than ${MATCH_MS_MAX / 1000} s for a part of the texts`,
    { next: 'Make it simpler: nested repetitions such as (a+)+ may take forever.' },
  );
}

/** The finder for what is wanted. @param matches texts that its pattern has found */
export function finderOf({ text, pattern }: Wanted, matches: Iterable<string>): Finder {
  const isText = pattern === undefined || text.length >= SECRET_CHARS_MIN;
  const finder = textFinder(isText ? [text, ...matches] : [...matches]);
  if (pattern === undefined) return finder;
  const isMet = (views: string[]) => inTime(() => views.some((one) => one.search(pattern) !== -1));
  return {
    ...finder,
    isLike: (bytes) => finder.isIn(bytes) || [...batchesOf([bytes.toString('utf8')])].some(isMet),
  };
}

/** @throws Ben10Error LIMIT_EXCEEDED */
export function assertFew(found: ReadonlySet<string>, by: 'pattern' | 'rule'): void {
  if (found.size <= MATCHES_MAX) return;
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `the ${by} matches more than ${MATCHES_MAX} different texts`,
    {
      next:
        by === 'pattern'
          ? 'Make it narrower, or erase the events by their seqs.'
          : 'Erase them by a narrower --pattern, or the events by their seqs.',
    },
  );
}

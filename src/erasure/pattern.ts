import { Ben10Error } from '../platform/errors.ts';
import { timed } from '../platform/timed.ts';
import { unescaped } from './decoded.ts';
import { ERASED, type Finder, SECRET_CHARS_MIN } from './finder.ts';
import { textFinder } from './text-finder.ts';

/** Different texts that one pattern may find: more are no leaked secret. */
export const MATCHES_MAX = 1000;

const REGEX = /^\/(.*)\/([gimsu]*)$/s;

/** What a person gave to look for. */
export interface Wanted {
  /** As it was given. Between slashes, too: secrets of base64 may begin and end with one. */
  text: string;
  /** What it is between slashes besides: it has to be met with texts first. */
  pattern?: RegExp;
}

/**
 * Reads `TEXT` or `/pattern/flags`. The message of an error never holds what was given.
 * @throws Ben10Error USAGE
 */
export function parsePattern(given: string): Wanted {
  if (given.trim() === '') throw refused('nothing was given to look for');
  const regex = REGEX.exec(given);
  if (regex !== null) {
    const [, source = '', flags = ''] = regex;
    try {
      // All that there are go, also where that was not asked for.
      const pattern = new RegExp(source, flags.includes('g') ? flags : `g${flags}`);
      if (!pattern.test('')) return { text: given, pattern };
    } catch {
      throw refused('that is not a regular expression');
    }
    throw matchesNothing();
  }
  if (ERASED.includes(given)) {
    throw refused(
      `that text stands in "${ERASED}" itself, which is put in the place of what is erased`,
    );
  }
  if (given.length < SECRET_CHARS_MIN) {
    throw refused(
      `that text is too short: it stands everywhere, below ${SECRET_CHARS_MIN} characters`,
    );
  }
  return { text: given };
}

const refused = (message: string): Ben10Error =>
  new Ben10Error('USAGE', message, { next: 'How it is used: ben10 erase --help' });

const matchesNothing = (): Ben10Error =>
  refused('that pattern can match an empty text, so it matches everywhere');

/**
 * Meets a pattern with texts, decoded too: what it finds in one of them is then looked for in every form.
 * @param found is told what it finds
 * @throws Ben10Error LIMIT_EXCEEDED when the pattern finds too many different texts or takes too long, USAGE when it finds one
 * that is too short
 */
export function meet(pattern: RegExp, texts: Iterable<string>, found: Set<string>): void {
  for (const views of batchesOf(texts)) {
    const all = () =>
      views.flatMap((view) => Array.from(view.matchAll(pattern), ([match]) => match));
    for (const match of inTime(all)) {
      if (match === '') throw matchesNothing();
      // Nor a part of the marker: it would be put there again and again.
      if (!ERASED.includes(match)) found.add(match);
    }
    assertFew(found, 'pattern');
  }
  if ([...found].some((text) => text.length < SECRET_CHARS_MIN)) {
    throw refused(
      `that pattern finds a text of fewer than ${SECRET_CHARS_MIN} characters, which stands everywhere`,
    );
  }
}

/** Characters that are met at once: to watch the time costs more than to match a short text. */
const BATCH_CHARS = 1024 * 1024;

/** A text as it stands, and as it reads without escapes: what a pattern or a rule is met with. */
export const viewsOf = (text: string): string[] => [...new Set([text, unescaped(text)])];

/** All views of the texts, many at a time. */
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

/** A sound pattern takes milliseconds for all that is met at once. */
const MATCH_MS_MAX = 5000;

/** @throws Ben10Error LIMIT_EXCEEDED */
function inTime<T>(match: () => T): T {
  const done = timed(match, MATCH_MS_MAX);
  if (done !== undefined) return done.value;
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `the pattern takes more than ${MATCH_MS_MAX / 1000} s for a part of the texts`,
    { next: 'Make it simpler: what repeats a repetition, as (a+)+, may take for ever.' },
  );
}

/** What finds the wanted. @param matches of a pattern, all that it was met with */
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
    `the ${by} finds more than ${MATCHES_MAX} different texts`,
    {
      next:
        by === 'pattern'
          ? 'Make it narrower, or erase the events by their seqs.'
          : 'Erase them by a narrower --pattern, or the events by their seqs.',
    },
  );
}

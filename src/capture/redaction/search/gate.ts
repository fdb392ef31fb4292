import type { RedactionOptions } from '../options.ts';
import { KEYWORDS } from './keywords.ts';
import { Prefilter } from './prefilter.ts';
import { mayHaveColours, withoutColours } from './view.ts';

/** Whether there is any work for the rules: nearly every text and value ends here, and a hook never loads them. */

let made: Prefilter | undefined;

/** Made when the first text comes. */
export function prefilter(): Prefilter {
  made ??= new Prefilter(KEYWORDS);
  return made;
}

const hasKeyword = (text: string): boolean =>
  prefilter().candidates(text).length > 0 ||
  (mayHaveColours(text) && prefilter().candidates(withoutColours(text)).length > 0);

/** May be a yes too many, never a no too many. */
export const mayHoldSecret = (text: string, { own }: RedactionOptions): boolean =>
  own.length > 0 || hasKeyword(text);

/** Longer ones are no names of anything. */
const NAME_CHARS_MAX = 64;
const DEPTH_MAX = 60;
const VALUES_MAX = 100_000;
/** What ben10 itself is called by in every event. */
const KNOWN_KEYS = new Set(['session_id', 'sessionId']);

/** The same of a JSON value, which may also need to be mended: a walk of its own is for what is not ordinary. */
export function mayNeedWork(value: unknown, { own }: RedactionOptions): boolean {
  if (own.length > 0) return true;
  let values = 0;
  const needsWork = (one: unknown, depth: number): boolean => {
    if (typeof one === 'string') return !one.isWellFormed() || hasKeyword(named(one));
    if (typeof one !== 'object' || one === null) return false;
    values += 1;
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true;
    if (Array.isArray(one)) {
      values += one.length;
      return values > VALUES_MAX || one.some((item) => needsWork(item, depth + 1));
    }
    return Object.keys(one).some(
      (key) =>
        key === '__proto__' ||
        key === '$blob' ||
        (!KNOWN_KEYS.has(key) && isTelling(key, (one as Record<string, unknown>)[key])) ||
        needsWork((one as Record<string, unknown>)[key], depth + 1),
    );
  };
  // No number is a secret: what it is called by tells nothing, as in a count of tokens.
  const isTelling = (key: string, of: unknown): boolean =>
    typeof of === 'number' ? !key.isWellFormed() || hasKeyword(key) : needsWork(key, 0);
  return needsWork(value, 0);
}

/** A short text may be the name of what stands under it or beside it, which may be as long as a secret. */
const named = (text: string): string =>
  text.length <= NAME_CHARS_MAX ? `${text} = ${VALUE}` : text;
const VALUE = 'a1'.repeat(64);

import * as KIND from './kinds.ts';
import type { RedactionRule, Span } from './rule.ts';
import { isSessionId } from './session-id.ts';

/** A cookie of a session as an object with its name before its value: `{"name": "session", "value": "…", "path": "/"}`. */

/** The end of its name, and what follows up to `value`. */
const NAME_BEFORE =
  /"name\\{0,7}"\s{0,8}:\s{0,8}\\{0,7}"[\w.-]{0,40}(?:sess(?:ion)?(?:[_-]?id)?|sid)\\{0,7}",(?:\s|\\{1,7}[nrt]){0,40}\\{0,7}"$/i;
const BEFORE_CHARS_MAX = 120;
/** How much of what stands before is asked for a session's name. */
const NAME_CHARS_MAX = 60;
/** As long as a cookie may be (RFC 6265), and the names of its fields. */
const BEHIND_CHARS_MAX = 4300;
const FIELD = /"(?:path|domain|expires)\\{0,7}"/;

/** Whether `value` at `at` is the key of a cookie's value: a name says it is a session's, and a field behind it that it is a cookie. */
export function isSessionPair(text: string, at: number): boolean {
  if (text[at - 1] !== '"') return false;
  const near = text.slice(Math.max(0, at - NAME_CHARS_MAX), at).toLowerCase();
  if (!near.includes('sess') && !near.includes('sid')) return false;
  if (!NAME_BEFORE.test(text.slice(Math.max(0, at - BEFORE_CHARS_MAX), at))) return false;
  const behind = text.slice(at, at + BEHIND_CHARS_MAX);
  const close = behind.indexOf('}');
  return FIELD.test(close < 0 ? behind : behind.slice(0, close));
}

const VALUE = /^(value\\{0,7}"\s{0,8}:\s{0,8}\\{0,7}")([^\s"'\\{}]{16,4096})\\{0,7}"/;

function* sessionPairs(text: string, places: readonly number[]): Generator<Span> {
  for (const at of places) {
    if (text[at] !== 'v' || !isSessionPair(text, at)) continue;
    const [, lead, value] = VALUE.exec(text.slice(at, at + BEHIND_CHARS_MAX)) ?? [];
    if (lead === undefined || !isSessionId(value!, 'quoted')) continue;
    const start = at + lead.length;
    yield { start, end: start + value!.length };
  }
}

/** The values of such cookies, by where the scanner has found `value`. */
export const SESSION_PAIRS: RedactionRule = {
  id: 'COOKIE',
  kind: KIND.named,
  find: (text, places) => sessionPairs(text, places.at(KIND.named)),
};

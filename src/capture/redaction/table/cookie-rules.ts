import { expression, matchesOf } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { SESSION_PAIRS } from '../session-pair.ts';
import { secretUnder } from './secret-under.ts';
import { signedRule } from './signed-rule.ts';

/** Cookies as browsers and their tools keep and print them: who has a session's is logged in. */

/** In an object: without it, nothing tells a cookie's value from another one. */
const SIGN = 'httpOnly';
/** How far from it the object begins and ends, characters: RFC 6265 has 4,096 for a cookie. `setting-signs.ts` says the same. */
const OBJECT_CHARS_MAX = 5000;
const VALUE = expression(
  '(\\bvalue(?:\\\\{0,7}["\'])?\\s{0,8}:\\s{0,8}\\\\{0,7}["\'])[^\\s"\'\\\\{}]{16,4096}(?=\\\\{0,7}["\'])',
  'g',
);

function* cookieObjects(text: string, places: readonly number[]): Generator<NamedSpan> {
  let from = 0;
  for (const at of places) {
    if (at < from || !text.startsWith(SIGN, at)) continue;
    const first = Math.max(from, at - OBJECT_CHARS_MAX);
    const before = text.slice(first, at);
    const behind = text.slice(at, at + OBJECT_CHARS_MAX);
    const open = before.lastIndexOf('{');
    const close = behind.indexOf('}');
    from = at + (close < 0 ? SIGN.length : close);
    if (open < 0 || close < 0) continue;
    const start = first + open;
    for (const match of matchesOf(VALUE, text.slice(start, at + close))) {
      const lead = match[1]?.length ?? 0;
      const id = secretUnder('cookie', match[0].slice(lead));
      const own = start + match.index;
      if (id !== undefined) yield { start: own + lead, end: own + match[0].length, id };
    }
  }
}

export const COOKIE_RULES: readonly RedactionRule[] = [
  // curl.se: Netscape's file of cookies
  signedRule(
    'COOKIE',
    KIND.setting,
    ['HttpOnly_', 'HTTP Cookie F'],
    '(\\t(?:TRUE|FALSE)\\t/[^\\t\\n]{0,256}\\t(?:TRUE|FALSE)\\t\\d{1,12}\\t[^\\t\\n]{1,256}\\t)[^\\s]{16,4096}',
  ),
  // playwright.dev: storageState; pptr.dev: page.cookies(); developer.chrome.com: chrome.cookies
  {
    id: 'COOKIE',
    kind: KIND.setting,
    find: (text, places) => cookieObjects(text, places.at(KIND.setting)),
  },
  // w3c.github.io/web-performance: HAR, whose cookies need not say httpOnly
  SESSION_PAIRS,
];

import { atLeast } from './fragments.ts';
import { onDemand } from './rule.ts';
import { TOKEN_SECONDS, TOKEN_SIGNS } from './token-signs.ts';

/**
 * Where tokens with a prefix may begin, found without trying any of the table's patterns: a token is a long run of few
 * kinds of characters, and its first two to eight tell whether any vendor's begins like that. A text of ordinary words and
 * code is read once, by one expression.
 */

/** The shortest token of the table, its prefix included: what of it stands before a sign that is in no run. */
export const RUN_CHARS_MIN = 15;

/** Letters, digits, `+`, `-`, `.`, `/`, `_`, `~`. */
const RUN = onDemand(() => new RegExp(`(?<![\\w.~/+-])${atLeast(RUN_CHARS_MIN, '\\w.~/+-')}`, 'g'));

/** How far into a run a token may begin behind the rest of an escape, which the run begins with: `u0022`, `253D`. */
const ESCAPE_CHARS_MAX = 5;

/** What an escape, a colour or a percent-encoded sign begins with, whose rest is letters and digits. */
const ESCAPE_SIGNS = '\\%[;';

/** Of the characters of a run: a token may begin behind one of them. */
const SEPARATOR = /[+\-./_~]/;

/** Given a place where a token may begin; returns where to go on, or undefined for the next place. */
type Visit = (at: number) => number | undefined;

/**
 * From so many searched characters on, a loop finds the same runs four times faster than the expression: V8 has compiled
 * it by then. A hook, which is a new process, seldom comes so far.
 */
const WARM_CHARS = 256 * 1024;
let searched = 0;

/** Calls `visit` with each place where a token may begin, as far as its first characters tell. */
export function visitTokenStarts(text: string, visit: Visit): void {
  searched += text.length;
  if (searched > WARM_CHARS) {
    visitWarm(text, visit);
    return;
  }
  const pattern = RUN();
  pattern.lastIndex = 0;
  for (let run = pattern.exec(text); run !== null; run = pattern.exec(text)) {
    pattern.lastIndex = visitRun(text, run.index, pattern.lastIndex, visit);
  }
}

/** Looks at every fifteenth character: one that is in no run lets those before it be passed over, but for a few. */
function visitWarm(text: string, visit: Visit): void {
  let start = 0;
  let seen = -1; // from `start` to here all are in the run
  for (let next = RUN_CHARS_MIN - 1; next < text.length; next = start + RUN_CHARS_MIN - 1) {
    let at = next;
    while (at > seen && isInRun(text.charCodeAt(at))) at -= 1;
    if (at > seen) {
      start = at + 1;
      seen = next;
      continue;
    }
    let to = next + 1;
    while (to < text.length && isInRun(text.charCodeAt(to))) to += 1;
    start = visitRun(text, start, to, visit);
    seen = start - 1;
  }
}

/** The same characters as in `RUN`. */
function isInRun(code: number): boolean {
  if (code > 0x60) return code < 0x7b || code === 0x7e;
  if (code > 0x40) return code < 0x5b || code === 0x5f;
  return code > 0x2a && code < 0x3a && code !== 0x2c;
}

/** The same inside one run; where to look for the next one. */
function visitRun(text: string, start: number, to: number, visit: Visit): number {
  const isEscaped = start > 0 && ESCAPE_SIGNS.includes(text[start - 1] ?? '');
  const beginsUntil = start + (isEscaped ? ESCAPE_CHARS_MAX : 0);
  let at = start;
  while (at <= to - RUN_CHARS_MIN) {
    const next = beginsToken(text, at, to) ? visit(at) : undefined;
    if (next !== undefined && next >= to) return next;
    const from = next ?? at + 1;
    at = from <= beginsUntil ? from : behindSeparator(text, from - 1, to);
  }
  return to;
}

/** Behind the next separator, which may stand at `from` itself; the run's end where there is none. */
function behindSeparator(text: string, from: number, to: number): number {
  const found = text.slice(from, to).search(SEPARATOR);
  return found === -1 ? to : from + found + 1;
}

/** Whether a token may begin anywhere in the text. */
export function hasTokenStart(text: string): boolean {
  let has = false;
  if (text.length < RUN_CHARS_MIN) return has;
  visitTokenStarts(text, () => {
    has = true;
    return text.length;
  });
  return has;
}

/** How much of what follows the beginning tells whether a machine made it, characters. */
const JUDGED_CHARS = 64;
const MACHINE_MADE = /\d|[a-z].*[A-Z]|[A-Z].*[a-z]|[A-Z]{16}/;
/** Beginnings that words have too. */
const WORDY = /^(?:[a-z]+|[A-Z]{1,3})$/;

/**
 * Whether the text at this place begins like a token, and goes on unlike the words that begin so (`secret_name`): with a
 * digit, letters of both cases, or many capitals.
 */
function beginsToken(text: string, at: number, end: number): boolean {
  const sign = signAt(text, at);
  if (sign === '') return false;
  const from = at + sign.length;
  const rest = text.slice(from, Math.min(end, from + JUDGED_CHARS));
  return WORDY.test(sign) ? /\d/.test(rest) : MACHINE_MADE.test(rest);
}

/** The beginning that stands at this place. The lists are words of two to eight characters between spaces; runs hold none. */
function signAt(text: string, at: number): string {
  const first = text[at] ?? '';
  // Nothing new is made for most places: they are many.
  if (TOKEN_SECONDS[first]?.includes(text[at + 1] ?? '') !== true) return '';
  const signs = TOKEN_SIGNS[first] ?? '';
  const four = ` ${text.slice(at, at + 4)}`;
  for (let found = signs.indexOf(four); found !== -1; ) {
    const end = signs.indexOf(' ', found + 1);
    const sign = signs.slice(found + 1, end);
    if (text.startsWith(sign, at)) return sign;
    found = signs.indexOf(four, end);
  }
  if (signs.includes(`${four.slice(0, 4)} `)) return four.slice(1, 4);
  return signs.includes(`${four.slice(0, 3)} `) ? four.slice(1, 3) : '';
}

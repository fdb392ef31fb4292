import * as KIND from '../kinds.ts';
import { escapeRegExp } from '../options.ts';
import type { Places } from '../places.ts';
import { onDemand } from '../rule.ts';
import { LITERALS } from './literals.ts';
import { allSigns } from './token-at.ts';

/** The shortest token of the table, its prefix included. */
export const RUN_CHARS_MIN = 15;
/** Of what follows a token's sign, characters: tells whether a machine made it. */
const JUDGED_CHARS = 64;
/** How far into a run a token may begin behind the rest of an escape, which the run begins with: `u0022`, `253D`. */
const ESCAPE_CHARS_MAX = 5;

const RUN = new RegExp(`[\\w.~/+-]{${RUN_CHARS_MIN},}`, 'g');
const MACHINE_MADE = /\d|[a-z].*[A-Z]|[A-Z].*[a-z]|[A-Z]{16}/;
/** Signs that words begin with, too. */
const WORDY = /^(?:[a-z]+|[A-Z]{1,3})$/;

const isLabel = (kind: number): boolean =>
  (kind >= KIND.key && kind <= KIND.pass) || (kind >= KIND.session && kind <= KIND.sessionId);
/** What may stand behind a label. */
const LABEL_END = '(?=[\\\\"\'`\\] \\t:=%?+({[\\x1b\\w-])';

const literals = onDemand(() =>
  Object.entries(LITERALS).map(([name, words]) => {
    const kind = Number(name);
    const source = `(?:${words.map(escapeRegExp).join('|')})${isLabel(kind) ? LABEL_END : ''}`;
    return { kind, pattern: new RegExp(source, (kind & 32) === 0 ? 'g' : 'gi') };
  }),
);

const signs = onDemand(() => {
  const byStart = new Map<string, string[]>();
  for (const sign of allSigns()) {
    const start = sign.slice(0, 2);
    byStart.set(start, [...(byStart.get(start) ?? []), sign]);
  }
  return byStart;
});

/** What `scanner.wat` does, for processes that have no WebAssembly (`--jitless`, a limit on address space). */
export function plainPlaces(text: string, places: Places): void {
  for (const { kind, pattern } of literals()) {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      places.add(kind, found.index);
      pattern.lastIndex = found.index + 1;
    }
  }
  for (const run of text.matchAll(RUN))
    visitRun(text, run.index, run.index + run[0].length, places);
}

function visitRun(text: string, start: number, end: number, places: Places): void {
  const isEscaped = /[\\%[;]/.test(text[start - 1] ?? '');
  const everywhere = start + (isEscaped ? ESCAPE_CHARS_MAX : 0);
  for (let at = start; at <= end - RUN_CHARS_MIN; at += 1) {
    const mayBegin = at <= everywhere || /[+\-./_~]/.test(text[at - 1] ?? '');
    if (mayBegin && beginsToken(text, at, end)) places.add(KIND.token, at);
  }
}

function beginsToken(text: string, at: number, end: number): boolean {
  const own = signs().get(text.slice(at, at + 2)) ?? [];
  return own.some((sign) => {
    if (!text.startsWith(sign, at)) return false;
    const from = at + sign.length;
    const rest = text.slice(from, Math.min(end, from + JUDGED_CHARS));
    return WORDY.test(sign) ? /\d/.test(rest) : MACHINE_MADE.test(rest);
  });
}

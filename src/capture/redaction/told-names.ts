import * as KIND from './kinds.ts';
import type { Places } from './places.ts';

/**
 * What people call a password in letters beyond Latin-1, which the scanner does not read, in either case but for a first letter that
 * has two; and the colon of their keyboards. In a text of one byte a character V8 sees without a search that none stands there.
 */
export const TOLD_NAMES: readonly string[] = (
  'as\u0142o,AS\u0141O,\u0430\u0440\u043e\u043b\u044c,\u0410\u0420\u041e\u041b\u042c,\u0430\u0440\u043e\u043b\u0430,' +
  '\u5bc6\u7801,\u5bc6\u78bc,\u53e3\u4ee4,\u30d1\u30b9\u30ef\u30fc\u30c9,\ube44\ubc00\ubc88\ud638,\u015fifre,\u015eifre,' +
  '\u1eadt kh\u1ea9u,assword\uff1a'
).split(',');

/** One pass for all of them: what programs print has signs beyond Latin-1, and seldom letters. */
const LETTERS = /[\u0100-\u024f\u0370-\u1fff\u3040-\ud7ff\uff1a]/;

export const holdsTold = (text: string): boolean =>
  LETTERS.test(text) && TOLD_NAMES.some((name) => text.includes(name));

/** Adds to the places of a text all where one of them stands. */
export function addTold(text: string, places: Places): void {
  if (!LETTERS.test(text)) return;
  const told: number[] = [];
  for (const name of TOLD_NAMES)
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) told.push(at);
  if (told.length > 0)
    places.set(
      KIND.told,
      told.sort((a, b) => a - b),
    );
}

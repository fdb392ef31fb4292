import { type AssignedValue, valueAt } from './assigned-value.ts';
import { hasAny, isDigit } from './word-char.ts';
import { isOfWords } from './words.ts';

/** From the end of a name up to its argument, the next one, which may stand in the next line, or what it is compared with. */
const LEAD = /(?:\\{0,7}["'],(?:\s|\\{1,7}n){0,44}|[({]| ?===? ?)(?=\\{0,7}["'])/y;

/** What one cannot do without: behind most names stands something else, for which no expression is needed. */
const SIGNS = ['",', "',", '("', "('", '{"', '=='];
const SIGN_WITHIN = 9;

/**
 * The string behind a name that is one as well, `put("password", "…")`, `["--token", "…"]`, or that a name is called with or
 * compared with: `.password("…")`, `password{"…"}`, `password == "…"`; `scanner.wat` says the same.
 * @param end of the name
 */
export function argumentValue(text: string, end: number): AssignedValue | undefined {
  const near = text.slice(end, end + SIGN_WITHIN);
  if (!SIGNS.some((sign) => near.includes(sign))) return undefined;
  LEAD.lastIndex = end;
  if (!LEAD.test(text)) return undefined;
  const value = valueAt(text, LEAD.lastIndex, ',');
  return value?.closed ? value : undefined;
}

/** Behind a name that is no option another name stands as often: a secret has digits in its words. */
export const isMixedArgument = (value: string): boolean =>
  hasAny(value, isDigit) && !isOfWords(value);

import { type AssignedValue, valueAt } from './assigned-value.ts';
import { hasAny, isDigit } from './word-char.ts';
import { isOfWords } from './words.ts';

/** From the end of a name up to the next argument, which may stand in the next line. */
const LEAD = /\\{0,7}["'],(?:\s|\\{1,7}n){0,44}(?=\\{0,7}["'])/y;
const BACKSLASHES_MAX = 7;

/**
 * The string behind a name that is one as well: `put("password", "…")`, `["--token", "…"]`; `scanner.wat` says the same.
 * @param end of the name
 */
export function argumentValue(text: string, end: number): AssignedValue | undefined {
  let mark = end;
  while (mark - end < BACKSLASHES_MAX && text[mark] === '\\') mark += 1;
  // Most names have none, and need no expression.
  if (text[mark + 1] !== ',') return undefined;
  LEAD.lastIndex = end;
  if (!LEAD.test(text)) return undefined;
  const value = valueAt(text, LEAD.lastIndex, ',');
  return value?.closed ? value : undefined;
}

/** Behind a name that is no option another name stands as often: a secret has digits in its words. */
export const isMixedArgument = (value: string): boolean =>
  hasAny(value, isDigit) && !isOfWords(value);

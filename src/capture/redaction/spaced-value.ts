import { type AssignedValue, type Separator, valueAt } from './assigned-value.ts';
import { beginsLine, lineValue } from './line-value.ts';
import type { Span } from './rule.ts';
import { isPassword, type ValueForm } from './values.ts';
import { hasAny, isDigit } from './word-char.ts';

/** What is read before a name, characters. */
const BEFORE_CHARS_MAX = 120;
/** What is read behind one, characters. */
const BEHIND_CHARS_MAX = 200;

/** Spaces up to a value in marks: maps are aligned. */
const SPACES_MAX = 40;
const BACKSLASHES_MAX = 7;
function spacesEnd(text: string, from: number): number | undefined {
  let end = from;
  while (end - from < SPACES_MAX && (text[end] === ' ' || text[end] === '\t')) end += 1;
  let mark = end;
  while (mark - end < BACKSLASHES_MAX && text[mark] === '\\') mark += 1;
  return end > from && (text[mark] === '"' || text[mark] === "'") ? end : undefined;
}
/** A keyword of EDN (`:db/password "…"`), the kind of a secret in ipsec.secrets (`: PSK "…"`). */
const KEYWORD = /(?:(?:^|[\s{([,]|\\[nrt]):{1,2}(?:[\w.-]{1,64}\/)?|: )$/;
/** What that cannot do without: most names that a value in marks follows stand behind another word. */
const mayBeKeyword = (text: string, nameStart: number): boolean =>
  text[nameStart - 1] === ':' ||
  text[nameStart - 1] === '/' ||
  (text[nameStart - 1] === ' ' && text[nameStart - 2] === ':');
/** CMake's `set(NAME "…")`, Lisp's `(setq name "…")`; it ends as what that cannot do without. */
const FORM = /(?:\bset\(|\((?:setq|def\w*) )$/i;
const FORM_CHARS_MAX = 16;
const isForm = (text: string, nameStart: number): boolean =>
  '( '.includes(text[nameStart - 1] ?? 'x') &&
  FORM.test(text.slice(Math.max(0, nameStart - FORM_CHARS_MAX), nameStart));
/** A user before it on the line, as Gradle and fetchmail have both: `username "me" password "…"`. */
const BESIDE_USER =
  /(?:user(?:name)?|login)[ \t]{1,8}\\{0,7}["']([^\s"'\\]{1,64})\\{0,7}["'][,;]?[ \t]{1,8}(?:and |there |with ){0,2}$/i;
/** What that cannot do without: a user's mark or one of those words before the name. */
const mayBeBesideUser = (text: string, nameStart: number): boolean => {
  let last = nameStart - 1;
  while (text[last] === ' ' || text[last] === '\t') last -= 1;
  if (last === nameStart - 1) return false;
  const isMarked = '"\',;'.includes(text[last] ?? 'x');
  return isMarked || ['and', 'there', 'with'].some((word) => text.endsWith(word, last + 1));
};
const userBefore = (text: string, nameStart: number): string | undefined =>
  mayBeBesideUser(text, nameStart)
    ? BESIDE_USER.exec(text.slice(Math.max(0, nameStart - BEFORE_CHARS_MAX), nameStart))?.[1]
    : undefined;
/** Sentences name both as well, but no letters as a machine mixes them; and two names that differ in their numbers are two users. */
const isOfUser = (value: string, user: string): boolean => {
  const apart = (name: string): string => name.replace(/\d+/g, '#');
  return apart(value) !== apart(user) && (hasAny(value, isDigit) || isPassword(value, 'bare'));
};
/** Behind the value of a statement: the line ends, or the text in JSON that it is all of. */
const LINE_END = /^\\{0,7}["'][ \t;]{0,8}(?:$|[\r\n"]|\\{1,7}[nr"])/;

/**
 * The value in quotation marks that stands behind a name and a space alone: of a keyword in EDN, and where both are all of a
 * line (Gradle's `storePassword '…'`), or of a form in brackets, and of what stands beside its user.
 * @param nameStart where the name begins whose label ends at `end`
 */
export function spacedValue(
  text: string,
  nameStart: number,
  end: number,
): AssignedValue | undefined {
  const start = spacesEnd(text, end);
  if (start === undefined) return undefined;
  const isKeyword =
    isForm(text, nameStart) ||
    (mayBeKeyword(text, nameStart) &&
      KEYWORD.test(text.slice(Math.max(0, nameStart - BEFORE_CHARS_MAX), nameStart)));
  const user = isKeyword ? undefined : userBefore(text, nameStart);
  if (!isKeyword && user === undefined && !beginsLine(text, nameStart)) return undefined;
  const value = valueAt(text, start, text.slice(end, start));
  if (!value?.closed) return undefined;
  if (user !== undefined) return isOfUser(value.text, user) ? value : undefined;
  const close = value.end();
  const isStatement = LINE_END.test(text.slice(close, close + BEHIND_CHARS_MAX));
  return isKeyword || isStatement ? value : undefined;
}

/** What PHP's print_r has between a name and its value, the property's visibility included. */
const ARROW = /^(?::[\w\\:]{1,128})?\] => /;

/** The value of `[password] => …`, as print_r of PHP writes it: to the end of its line. */
export function printedValue(
  text: string,
  nameStart: number,
  end: number,
  isSecret: (value: string, form: ValueForm) => boolean,
): Span | undefined {
  if (text[nameStart - 1] !== '[') return undefined;
  const arrow = ARROW.exec(text.slice(end, end + BEHIND_CHARS_MAX))?.[0];
  if (arrow === undefined) return undefined;
  const start = end + arrow.length;
  const line = lineValue(text, nameStart - 1, start);
  return line?.isWhole && isSecret(line.text, 'env') ? { start, end: line.end } : undefined;
}

/** Up to the value of a variable of make that is set once, or at once. */
const OF_MAKE = /^[ \t]*(?:\?|::)=[ \t]*$/;
const OR_OF_CODE = /^[ \t]*[:+]=[ \t]*$/;
const LINE_OF_MAKE = /(?:^|\n|\\n)[+-]?(?:(?:export|override)[ \t]{1,4})?$/;

/** Whether a name in upper case is assigned to as only files of settings do it; `:=` and `+=` are in code too, but indented. */
export function isSetting(text: string, nameStart: number, separator: Separator): boolean {
  if (separator.text === '=' || OF_MAKE.test(separator.text)) return true;
  if (!OR_OF_CODE.test(separator.text)) return false;
  const from = Math.max(0, nameStart - BEFORE_CHARS_MAX);
  return LINE_OF_MAKE.test((from > 0 ? ' ' : '') + text.slice(from, nameStart));
}

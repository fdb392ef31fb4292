import type { AssignedValue, Separator } from './assigned-value.ts';
import { beginsLine, isNoCode, LINE_CHARS_MAX, lineValue, mayBegin } from './line-value.ts';
import { isMnemonic, moreWords, phraseAt } from './pass-phrase.ts';
import type { Span } from './rule.ts';
import type { ValueForm } from './values.ts';
import { isDigit, isSpace } from './word-char.ts';
import { isOfWords } from './words.ts';

/** A value without quotation marks: in a file of settings it goes on to the end of its line. */
export function bareValue(
  text: string,
  nameStart: number,
  separator: Separator,
  value: AssignedValue | undefined,
  isEnv: boolean,
  isSecret: (value: string, form: ValueForm) => boolean,
): Span | undefined {
  const form = isEnv ? 'env' : 'bare';
  const isOne = value !== undefined && isSecret(value.text, form);
  const short = isOne ? { start: value.start, end: value.end() } : undefined;
  const from = value?.start ?? separator.end;
  const phrase = phraseOf(text, nameStart, from);
  if (phrase !== undefined && isSecret(phrase, form))
    return { start: from, end: from + phrase.length };
  // Nothing but a space or a line's end behind it.
  if (short !== undefined && (text[short.end] ?? ' ').trim() === '') {
    // In a shell what follows `NAME=value` is a command.
    const isLine = separator.text.includes(':') && beginsLine(text, nameStart);
    return { ...short, end: short.end + (isLine ? moreWords(text, short.end).length : 0) };
  }
  // A marker, which is no secret, whatever stands behind it.
  if (text.startsWith('[REDACTED:', from)) return short;
  if (!isEnv && short === undefined && !(mayBegin(text, nameStart) && hasDigitInRun(text, from)))
    return undefined;
  const line = lineValue(text, nameStart, from);
  if (line === undefined) return short;
  if (isEnv) return isSecret(line.text, 'env') ? { start: from, end: line.end } : short;
  if (!line.isWhole) return short;
  const own = ownPart(line.text);
  if (short !== undefined) return { start: from, end: Math.max(short.end, from + own.length) };
  return /\d/.test(own) && (!isOfWords(own) || isNoCode(own)) && isSecret(own, form)
    ? { start: from, end: from + own.length }
    : undefined;
}

/** Whether a digit stands in what goes on without a space: only then more than code may stand there. */
function hasDigitInRun(text: string, start: number): boolean {
  const end = Math.min(text.length, start + LINE_CHARS_MAX);
  for (let at = start; at < end && !isSpace(text.charCodeAt(at)); at += 1)
    if (isDigit(text.charCodeAt(at))) return true;
  return false;
}

/** Words to the end of the line, or to the mark that the whole assignment is in. */
function phraseOf(text: string, nameStart: number, start: number): string | undefined {
  const phrase = phraseAt(text, start);
  if (phrase === undefined) return undefined;
  const isMarked = '"\'`'.includes(text[nameStart - 1] ?? ' ');
  return isMarked || isMnemonic(phrase) || beginsLine(text, nameStart) ? phrase : undefined;
}

/** Without what code and lists have behind a value, and the next parameter of a query. */
const ownPart = (line: string): string =>
  line.replace(/[)\]},;"'`]{1,16}$/, '').replace(/&[\w.-]{1,64}=.*$/s, '');

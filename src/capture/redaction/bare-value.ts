import type { AssignedValue, Separator } from './assigned-value.ts';
import { isNoCode, lineValue } from './line-value.ts';
import type { Span } from './rule.ts';
import type { ValueForm } from './values.ts';
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
  // Nothing but a space or a line's end behind it.
  if (short !== undefined && (text[short.end] ?? ' ').trim() === '') return short;
  const start = value?.start ?? separator.end;
  // A marker, which is no secret, whatever stands behind it.
  if (text.startsWith('[REDACTED:', start)) return short;
  const line = lineValue(text, nameStart, start);
  if (line === undefined) return short;
  if (isEnv) return isSecret(line.text, 'env') ? { start, end: line.end } : short;
  if (!line.isWhole) return short;
  const own = ownPart(line.text);
  if (short !== undefined) return { start, end: Math.max(short.end, start + own.length) };
  return /\d/.test(own) && (!isOfWords(own) || isNoCode(own)) && isSecret(own, form)
    ? { start, end: start + own.length }
    : undefined;
}

/** Without what code and lists have behind a value, and the next parameter of a query. */
const ownPart = (line: string): string =>
  line.replace(/[)\]},;"'`]{1,16}$/, '').replace(/&[\w.-]{1,64}=.*$/s, '');

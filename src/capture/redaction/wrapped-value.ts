import { isMixedArgument } from './argument-value.ts';
import { type AssignedValue, type Separator, valueAt } from './assigned-value.ts';
import { expression } from './expression.ts';
import { isWordChar } from './word-char.ts';

/** What stands between a separator and the value in code and in what programs dump, characters. */
const WRAPPER_CHARS_MAX = 160;

const MARK = '\\\\{0,3}["\']';
const NAME = `${MARK}[\\w.-]{1,64}${MARK}`;
/** Up to a value in quotation marks. */
const WRAPPER = expression(
  `(?:(?:process\\.env|import\\.meta\\.env|ENV|env|os\\.environ)[\\w.?!]{0,64}(?:\\[${NAME}\\])?[ \\t]{0,4}(?:\\|\\||\\?\\?|or)[ \\t]{0,4}` +
    `|(?:os\\.(?:environ\\.get|getenv)|getenv|env|config|ENV\\.fetch)\\([ \\t]{0,4}${NAME}[ \\t]{0,4},[ \\t]{0,4}(?:default[ \\t]{0,2}=[ \\t]{0,2})?` +
    '|\\s{0,8}string\\(\\d{1,6}\\)[ \\t]{1,4}' +
    '|"""|\'\'\')(?=\\\\{0,3}["\'`]|(?<="""|\'\'\'))',
  'y',
);

/** What one of these begins with. */
const STARTS = 'process.env import.meta.env ENV env os. getenv config """ \'\'\''.split(' ');

/** Whether the expression is worth being made, which takes V8 longer than all else. */
const mayBeWrapped = (near: string): boolean =>
  STARTS.some((start) => near.startsWith(start)) || near.trimStart().startsWith('string(');

/** What a text is made with, and nothing else; maybe by one of its functions. */
const TEXTS = 'Some Secret SecretStr SecretString String str bytes Buffer.from'.split(' ');

/** What a function is called with: `Some("…")`, and of any other, `bcrypt("…")` or `[]byte("…")`, what is no name. */
function calledWith(text: string, from: number, separator: string): AssignedValue | undefined {
  const name = from + (text.startsWith('new ', from) ? 4 : text.startsWith('[]', from) ? 2 : 0);
  let at = name;
  while (
    at - from < WRAPPER_CHARS_MAX &&
    (isWordChar(text.charCodeAt(at)) || '.:'.includes(text[at] ?? ' '))
  )
    at += 1;
  if (at === from || text[at] !== '(') return undefined;
  const isText = TEXTS.includes(text.slice(name, at).split('::')[0]!);
  at += text[at + 1] === 'b' ? 2 : 1;
  const value = valueAt(text, at, separator);
  return value?.quoted && (isText || isMixedArgument(value.text)) ? value : undefined;
}

/** An anchor or a type of YAML, before a value with or without marks. */
const YAML_PROPERTY = expression('(?:&[\\w-]{1,40}|!!?[a-z]{3,10})[ \\t]{1,4}(?=\\S)', 'y');

/** The default in `process.env.X || "…"` and `os.environ.get("X", "…")`, the text in `Some("…")`, `string(9) "…"`, `"""…`. */
export function wrappedValue(
  text: string,
  { text: separator, end }: Separator,
): AssignedValue | undefined {
  const near = text.slice(end, end + WRAPPER_CHARS_MAX);
  WRAPPER.lastIndex = 0;
  const [lead] = (mayBeWrapped(near) ? WRAPPER.exec(near) : undefined) ?? [];
  if (lead === undefined) return calledWith(text, end, separator);
  // The last of three marks opens the text.
  const own = /["']{3}$/.test(lead) ? lead.length - 1 : lead.length;
  return valueAt(text, end + own, separator);
}

/** The same separator, up to what an anchor or a type of YAML stands before. */
export function behindProperty(text: string, separator: Separator): Separator {
  if (!'&!'.includes(text[separator.end] ?? ' ')) return separator;
  YAML_PROPERTY.lastIndex = 0;
  const near = text.slice(separator.end, separator.end + WRAPPER_CHARS_MAX);
  return { ...separator, end: separator.end + (YAML_PROPERTY.exec(near)?.[0].length ?? 0) };
}

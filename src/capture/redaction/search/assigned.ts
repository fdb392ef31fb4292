import type { Span } from '../rule.ts';
import type { ValueForm } from './value-test.ts';
import { itemsOf, stringsOf, valuesAt } from './values.ts';

/** A value that stands under a name, and how. */
export interface Assigned extends Span {
  /** It stands where a string is a value only beside a telling one: arguments, comparisons. */
  isArgument: boolean;
  value: string;
  form: ValueForm;
}

const NAME_CHARS_MAX = 64;
/** More of the name; for vendors also in words of its own: `acme api key = …`. */
const NAME_BEHIND = /[\w.$-]{0,48}/y;
const NAME_BEHIND_SPACED = /[\w.$ \t-]{0,24}/y;

/** What closes the name: quotation marks, brackets of a subscript or an array, an attribute of XML, a modifier of Kotlin's or PHP's. */
const CLOSING = /(?:\[\d{0,6}\]|["'`\]){}]|::?\w{1,12}(?=\])){0,4}[ \t]{0,16}/y;
/** A type between the name and `=`: `x: string =`, `var x string =`, `x: Option<String> =`. */
const TYPE =
  /(?::[ \t]{0,4})?(?:(?:As|as|const|final)[ \t]{1,4})?[A-Za-z_][\w.<>[\]|?&*]{0,40}[ \t]{0,8}(?==[^=>])/y;
const OPERATOR =
  /(?:=>|->|~>|:{0,3}=(?!=)|\|\|=?|\?{1,2}=|[.+]=|={2,3}|!={1,2}|:{1,2}|,|\((?=["'])|[|\u2502]|-(?=[ \t]{1,4}["'`]))[ \t]{0,16}/y;
/** The value of an element of XML; of an option, and of `ENV NAME value` and the like, behind a space. */
const ELEMENT = /(?:[ \t][^<>\n]{0,120})?>\s{0,80}(?:<!\[CDATA\[)?(?=[^<>]{1,400}(?:<\/|\]\]>))/y;
/** `name="x" value="…"`: the name is itself a value. */
const ATTRIBUTE =
  /<\/key>\s{0,40}<string>|["']?[\s,]{1,40}(?:type["'][ \t]?:[^\n]{1,40}[\s,]{1,40})?["']?(?:\w{0,12}value|content)["']?\s{0,8}[=:]\s{0,8}/iy;
const ATTRIBUTE_CHARS_MAX = 200;
const SPACED = /[ \t]{1,16}/y;
/** `keyPassword "…"`, as Gradle, Lisp and CMake have it. */
const SPACED_QUOTE = /[ \t]{1,16}(?=["'])/y;
/** Programs that take a name and its value as two words. */
const TWO_WORDS =
  /(?:^|[\n"'`])[ \t]{0,40}(?:ENV|SetEnv|setenv|setx|set(?: -\w{1,3}){0,2})[ \t]{1,8}["']?[\w.-]{0,64}$/;
/** What stands before the value: prefixes of strings, calls and constructors, defaults, blocks and items of YAML, changes of a plan. */
const OPENING =
  /(?:[\s]{0,80}(?=["'`]))?(?:(?:(?:new[ \t]{1,4})?[A-Za-z_][\w.:!]{0,40}\([ \t]{0,8}|[\w.$[\]'"()]{1,80}[ \t]{0,4}(?:\|\||\?\?|or|->)[ \t]{0,4}|!{1,2}\w{1,16}[ \t]{1,4}|[bBfFrRuUNL@]{1,2})(?=["'`])|(?:[|>][-+]?[ \t]{0,4}\n[ \t]{1,40}))?/y;

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The name in which a keyword stands. */
export interface Name extends Span {
  text: string;
  /** What stands behind the keyword in it. */
  suffix: string;
}

/** @param isVendor the name may go on in words of its own */
export function nameAt(text: string, at: number, keywordEnd: number, isVendor: boolean): Name {
  let start = at;
  while (start > 0 && at - start < NAME_CHARS_MAX && /[\w.$-]/.test(text[start - 1]!)) start -= 1;
  const behind = text.slice(keywordEnd, keywordEnd + NAME_CHARS_MAX);
  let length = matchAt(isVendor ? NAME_BEHIND_SPACED : NAME_BEHIND, behind, 0);
  while (length > 0 && /[ \t.-]/.test(behind[length - 1]!)) length -= 1;
  const end = keywordEnd + length;
  return { start, end, text: text.slice(start, end), suffix: behind.slice(0, length) };
}

/** What is assigned to a name: the readings of each value, the longest first; a list under it has several values. */
export function* assignedTo(text: string, name: Name): Generator<Assigned[]> {
  const { start: offset } = name;
  const window = text.slice(offset, name.end + 512);
  const before = text.slice(Math.max(0, offset - 120), offset);
  const opening = openingOf(window, name.end - offset, name.text, before);
  if (opening === undefined) return;
  const from = offset + matchAt(OPENING, window, opening.at);
  // Base64 ends in `==`, and any string may stand on the next line.
  if (opening.isQuotedOnly && text.slice(offset + opening.at, from).includes('\n')) return;
  // Of a list each string by itself.
  if (text[from] === '[' && /^\[\s{0,80}["']/.test(text.slice(from, from + 90))) {
    for (const span of stringsOf(text, from + 1))
      yield [{ form: 'quoted', isArgument: false, ...span }];
    return;
  }
  if (opening.isLine) {
    for (const span of itemsOf(text, offset + opening.at))
      yield [{ form: 'bare', isArgument: false, ...span }];
  }
  const isEnv = opening.isDirect && /^[A-Z][A-Z0-9_]*$/.test(name.text.replace(/^-[A-Z]/, ''));
  const isArgument = opening.isQuotedOnly;
  yield valuesAt(text, from, offset, isArgument, isEnv ? 'env' : 'bare').map((it) => ({
    isArgument,
    ...it,
  }));
}

interface Opening {
  at: number;
  /** Only a string may follow. */
  isQuotedOnly: boolean;
  /** `NAME=value` without a space. */
  isDirect: boolean;
  /** Nothing is behind it on its line. */
  isLine: boolean;
}

function openingOf(
  window: string,
  nameEnd: number,
  name: string,
  before: string,
): Opening | undefined {
  const found = (at: number, isQuotedOnly = false, isDirect = false): Opening => ({
    at,
    isQuotedOnly,
    isDirect,
    isLine: window[at] === '\n' || window[at] === '\r',
  });
  if (/<(?:[\w.]{1,40}:)?$/.test(before)) {
    const element = matchAt(ELEMENT, window, nameEnd);
    if (element >= 0) return found(element);
  }
  const next = window.slice(nameEnd, nameEnd + ATTRIBUTE_CHARS_MAX).toLowerCase();
  if (['value', 'content', '</key>'].some((word) => next.includes(word))) {
    const attribute = matchAt(ATTRIBUTE, window, nameEnd);
    if (attribute >= 0) return found(attribute);
  }
  const property = /^["']>\s{0,40}/.exec(window.slice(nameEnd, nameEnd + 48));
  if (property !== null) return found(nameEnd + property[0].length);
  const spaced = matchAt(SPACED, window, nameEnd);
  if (spaced >= 0 && !/[-=:|&;<>]/.test(window[spaced] ?? '-')) {
    const isOption = name.startsWith('-') && /(?:^|[\s"'`])$/.test(before);
    if (isOption || TWO_WORDS.test(before + name)) return found(spaced);
  }
  const quoted = matchAt(SPACED_QUOTE, window, nameEnd);
  if (quoted >= 0) return found(quoted, true);
  const closed = matchAt(CLOSING, window, nameEnd);
  const isTyped = /[:\w]/.test(window[closed] ?? '') && window.indexOf('=', closed) > closed;
  const typed = isTyped ? matchAt(TYPE, window, closed) : -1;
  const operator = matchAt(OPERATOR, window, Math.max(closed, typed));
  if (operator < 0) return undefined;
  const sign = window.slice(Math.max(closed, typed), operator).trim();
  const isDirect = sign === '=' && closed === nameEnd && window[operator - 1] === '=';
  // Arguments of a call and cells are values only where the name is a string, and a string follows.
  if (sign === ',' || sign === '-')
    return /["'`]/.test(window.slice(nameEnd, closed)) || sign === '-'
      ? found(operator, true)
      : undefined;
  if (sign === '(')
    return /(?:^|[._])(?:set|with|use)\w*$/i.test(name) ? found(operator, true) : undefined;
  if (sign === '|' || sign === '\u2502')
    return /[|\u2502][ \t]{0,40}$/.test(before) ? found(operator) : undefined;
  return found(operator, /^(?:={2,3}|!=|\|\|)/.test(sign), isDirect);
}

import { expression, type Pattern } from './expression.ts';
import { ANSI, QUOTE } from './fragments.ts';
import { isAlphanumeric, isSpace } from './word-char.ts';

/** The part of a value that is judged, in UTF-16 units; the rest of a longer secret goes with it. */
const QUOTED_CHARS_MAX = 1024;

const SPACE = `[ \\t]{0,20}(?:${ANSI})?[ \\t]{0,8}`;
/** `: str =` and the like: the value follows a type annotation. */
const ANNOTATED = String.raw`:[ \t]{0,3}(?:str|string|String|&(?:'static )?(?:str|\[u8\]))[ \t]{0,3}=`;
const LINE_END = '[ \\t]{0,4}(?:\\r?\\n|(?:\\\\{1,4}r)?\\\\{1,4}n)[+-]?[ \\t]{0,60}';
/** A line of a shell that goes on behind its backslash; in JSON both are escaped, once or more, and a plain line's end has fewer. */
const CONTINUED = `(?:\\\\\\r?\\n|(?:\\\\{12}|\\\\{6}|\\\\{3})n)[ \\t]{0,60}`;
/** A value in the next line: a block scalar of YAML, or a string of JSON or code. */
const NEXT_LINE = `(?:[|>][+-]?${LINE_END}|${LINE_END}(?=${QUOTE})|${CONTINUED})?`;
/** Group 1: `=`, `:`, `:=`, `?=`, `+=` and `::=` (make), `=>` (Ruby, PHP), `%3D` but not `==` or `=~`; or, after a command line option, only a space. */
const SEPARATOR = `(${SPACE}(?:${ANNOTATED}|::?=|[?+]=|=>|=&gt;|[:=]|%3[ADad])(?![=~>:])(?:[*]{2})?${SPACE}${NEXT_LINE}(?:[bfruNL@](?=\\\\{0,7}["']))?|(?:%20){1,4}%3[ADad](?:%20){0,4}|[ \\t]{1,4}(?:\\\\\\r?\\n[ \\t]{1,60})?(?=[^\\s:=]))`;
/** What `separatorAt` says, as one expression. */
export const AFTER_LABEL = expression(`(?:${QUOTE})?\\]?${SEPARATOR}`, 'y');

const OPEN_QUOTE = expression(QUOTE, 'y');
/** What it begins with, where that is no mark. */
const MARK_STARTS = '\\u%&';
const COLOUR = new RegExp(ANSI, 'y');
const ANY_COLOUR = new RegExp(ANSI);
const hasLineBreak = (text: string): boolean => text.includes('\n') || text.includes('\r');

/**
 * An `=` ends the judged part, except as the padding of base64, so that `a=b=c=` is not judged again and again from each
 * label on. The bound is for the same reason: a text of nothing but labels costs 256 steps for each.
 */
const BARE_CHARS_MAX = 256;
const BARE_ENDS = '"\'`<>()[]{},;&|\\\x1b';
const BARE_WHOLE = /[^\s"'`<>()[\]{},;&|\\\x1b]*/y;
/** Percent-encoded, up to an encoded `&`, `;`, quotation mark or white space. */
const ENCODED = /(?:[\w.~!*-]|%(?!2[267]|20|0[ADad]|3[Bb])[0-9A-Fa-f]{2}){1,256}/y;

export interface AssignedValue {
  start: number;
  /** The text to judge: the value, or the first part of a long one. */
  text: string;
  /** Where the value ends as a whole. Only asked for a secret: it may read far, and then reads no more than is replaced. */
  end: () => number;
  quoted: boolean;
  /** Whether the mark at its beginning is closed on the line. */
  closed: boolean;
  /** What stands between the label and the value, quotation marks excluded. */
  separator: string;
}

/** What is read behind a label to judge its value, characters: each of the expressions above but one sees less. */
const NEAR_CHARS = 960;

/** What stands between the label that ends at `from` and its value, and where that begins. */
export interface Separator {
  text: string;
  end: number;
}

const isMark = (char: string | undefined): boolean => char === '"' || char === "'" || char === '`';
const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t';
/** More space is for the expression. */
const BLANKS_MAX = 20;

/** What may follow a mark or a bracket that closes before a separator. */
const BEHIND_CLOSED = '] \t:=?+%&\\\x1b';
/** What goes on with a separator, or a value's beginning that the expression must see. */
const GOES_ON = '=~>:*|@%&\\\x1b\r\n';

/** `str =`, `String =` */
function isType(text: string, at: number): boolean {
  const word = ['string', 'String', 'str'].find((type) => text.startsWith(type, at));
  return (
    word !== undefined && text.slice(at + word.length, at + word.length + 4).trimStart()[0] === '='
  );
}

/**
 * `=`, `: `, `": ` and ` => `, as most are, without the expression: V8 takes a millisecond to make that. Null where there is none,
 * undefined where the expression must say.
 */
function plainSeparator(text: string, from: number): Separator | null | undefined {
  const isClosed = isMark(text[from]);
  const start = from + (isClosed ? 1 : 0);
  let sign = start;
  while (isBlank(text[sign]) && sign - start < BLANKS_MAX) sign += 1;
  if (text[sign] !== '=' && text[sign] !== ':') {
    // Names in lists and in calls: `"token", `.
    const isNone =
      (isClosed || text[from] === ']') && !BEHIND_CLOSED.includes(text[from + 1] ?? ',');
    return isNone ? null : undefined;
  }
  // A comparison.
  if (text[sign] === '=' && (text[sign + 1] === '=' || text[sign + 1] === '~')) return null;
  const isArrow = text[sign] === '=' && text[sign + 1] === '>';
  const behind = sign + (isArrow ? 2 : 1);
  let end = behind;
  while (isBlank(text[end]) && end - behind < BLANKS_MAX) end += 1;
  if (isBlank(text[end]) || GOES_ON.includes(text[end] ?? '=')) return undefined;
  // `: str =`, `b"…"`, `b\"…\"`
  const isTyped = text[sign] === ':' && isType(text, end);
  const isPrefixed =
    'bfruNL'.includes(text[end]!) && (isMark(text[end + 1]) || text[end + 1] === '\\');
  return isTyped || isPrefixed ? undefined : { text: text.slice(start, end), end };
}

/** Undefined where nothing is assigned to the label. */
export function separatorAt(text: string, from: number): Separator | undefined {
  const plain = plainSeparator(text, from);
  if (plain !== undefined) return plain ?? undefined;
  // A short text: V8 makes machine code for longer ones, which takes longer than to read them.
  const near = text.slice(from, from + NEAR_CHARS);
  AFTER_LABEL.lastIndex = 0;
  const separator = AFTER_LABEL.exec(near)?.[1];
  return separator === undefined
    ? undefined
    : { text: separator, end: from + AFTER_LABEL.lastIndex };
}

/** The value assigned to the label that ends at `from`, in whatever notation, or undefined. */
export function assignedValue(text: string, from: number): AssignedValue | undefined {
  const separator = separatorAt(text, from);
  return separator && valueAt(text, separator.end, separator.text);
}

/** The value that begins at `from`, with or without quotation marks. */
export function valueAt(text: string, from: number, separator: string): AssignedValue | undefined {
  const near = text.slice(from, from + NEAR_CHARS);
  const mark = isMark(near[0]) ? near[0]! : '';
  const open =
    mark === '' && MARK_STARTS.includes(near[0] ?? ' ') ? matchAt(OPEN_QUOTE, near, 0) : mark;
  let at = open.length;
  if (near[at] === '\x1b' || near[at] === '\\') at += matchAt(COLOUR, near, at).length;
  const start = from + at;
  const encoded = separator.startsWith('%') || open.startsWith('%');
  if (open !== '' && !encoded) {
    const end = closingQuote(text, start, open);
    if (end !== undefined) {
      // A quoted name in the next line is a key of YAML.
      if (text[end + open.length] === ':' && /\\n|\n/.test(separator)) return undefined;
      const whole = text.slice(start, end);
      const mayBeColoured = whole.includes('\x1b') || whole.includes('\\');
      const value = mayBeColoured ? (whole.split(ANY_COLOUR, 1)[0] ?? '') : whole;
      return {
        start,
        text: value,
        end: () => start + value.length,
        quoted: true,
        closed: true,
        separator,
      };
    }
  }
  const found = encoded ? matchAt(ENCODED, near, at) : bareAt(near, at);
  // `getToken(`, `secrets[`, `$(…`: code, not a value.
  if (found === '' || '([{<'.includes(text[start + found.length] ?? ' ')) return undefined;
  const end = () => {
    if (encoded) return start + found.length;
    // Nearly always in sight.
    const inSight = bareEnd(near, at);
    return inSight < near.length ? from + inSight : start + matchAt(BARE_WHOLE, text, start).length;
  };
  return { start, text: found, end, quoted: open !== '', closed: false, separator };
}

/** Whether a bare value may go on there; in plain code, as each of the next two. */
function isBare(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isAlphanumeric(code) || (!isSpace(code) && !BARE_ENDS.includes(text[at] ?? '"'));
}

/** The part of a value without marks that is judged. */
function bareAt(text: string, at: number): string {
  let end = at;
  while (end - at < BARE_CHARS_MAX && !'=\u2026'.includes(text[end] ?? '=') && isBare(text, end))
    end += 1;
  if (end > at) for (let left = 2; left > 0 && text[end] === '='; left -= 1) end += 1;
  return text.slice(at, end);
}

/** Where it ends as a whole, as far as the text goes. */
function bareEnd(text: string, at: number): number {
  let end = at;
  while (isBare(text, end)) end += 1;
  return end;
}

function matchAt(pattern: Pattern, text: string, position: number): string {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? '';
}

/** Where the mark stands that closes the one before `start`; undefined if it is out of reach or not on the same line. */
function closingQuote(text: string, start: number, open: string): number | undefined {
  const reach = text.slice(start, start + QUOTED_CHARS_MAX);
  const quote = open.at(-1) ?? '"';
  const depth = open.length - 1;
  let from = 0;
  for (let at = reach.indexOf(quote); at !== -1; at = reach.indexOf(quote, from)) {
    // Only as far as the mark: a text of nothing but labels and marks is not read 1,024 characters at each.
    if (hasLineBreak(reach.slice(from, at))) return undefined;
    from = at + 1;
    // `&quot;`, `\u0022`
    if (open.includes('&') || open.includes('u')) {
      if (reach.endsWith(open, from)) return start + from - open.length;
      continue;
    }
    let backslashes = 0;
    while (reach[at - 1 - backslashes] === '\\') backslashes += 1;
    // In plain JSON an odd number escapes the mark; inside JSON inside JSON the marks have `depth` of them themselves.
    const closes = depth === 0 ? backslashes % 2 === 0 : backslashes <= depth;
    // Doubled, as YAML, SQL and CSV have a mark inside of marks.
    if (closes && depth === 0 && at > 0 && isDoubled(reach, at)) {
      from = at + 2;
      continue;
    }
    if (closes) return start + at - (depth === 0 ? 0 : backslashes);
  }
  return undefined;
}

/** Whether the mark stands twice, and the line has another one. */
function isDoubled(reach: string, at: number): boolean {
  const mark = reach[at] ?? '';
  if (reach[at + 1] !== mark || mark === '`') return false;
  const next = reach.indexOf(mark, at + 2);
  return next > 0 && !hasLineBreak(reach.slice(at, next));
}

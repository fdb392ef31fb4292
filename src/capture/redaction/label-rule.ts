import { argumentValue, isMixedArgument } from './argument-value.ts';
import { type Separator, separatorAt, valueAt } from './assigned-value.ts';
import { bareValue } from './bare-value.ts';
import { expression, type Pattern } from './expression.ts';
import * as KIND from './kinds.ts';
import { labelAt } from './label-at.ts';
import { isLabelSuffix, MAYBE_SUFFIX, withoutSuffix } from './label-suffixes.ts';
import { listedSecrets } from './list-value.ts';
import { isPassPhrase } from './pass-phrase.ts';
import { toldToken, toldValue } from './prose-value.ts';
import type { NamedSpan, RedactionRule, Span } from './rule.ts';
import { isSetting, printedValue, spacedValue } from './spaced-value.ts';
import { isToldPassValue, isToldShortPass, type ValueForm } from './values.ts';
import { hasAny, isAlphanumeric, isDigit, isWordChar } from './word-char.ts';
import { behindProperty, wrappedValue } from './wrapped-value.ts';

/** How much of a parsed object's string is judged. */
const JUDGED_CHARS_MAX = 1024;
/** How far a name is read back from its label: `--some-long-option-password`, `PREFIX_OF_MANY_WORDS_TOKEN`. */
const NAME_CHARS_MAX = 64;

/** A marker's own name is no label: `[REDACTED:API-KEY]: …`. `label-at.ts` says the same. */
const IN_MARKER = String.raw`\[REDACTED:[A-Z-]{0,40}`;

/** Of YAML, `secrets:` lists their names, too. */
const ITEM_CHARS_MIN = 20;

/** What a label and what decides whether it is one are within, characters to both sides. */
const LABEL_REACH = 128;

interface Labelled {
  id: string;
  kind: number;
  /** Source text of the label's last words, in lower case, from where the scanner finds them on. */
  label: string;
  /** The same in plain code, where they are words and no more; `_` may be `-` or missing. */
  words?: readonly string[];
  isSecret: (value: string, form: ValueForm) => boolean;
  /** The same for keys of objects, where not all of the labels are such; null where none is. */
  keyLabel?: string | null;
  /** Whether only names in upper case are such keys. */
  isUpper?: boolean;
  /** What such a key has to be besides. */
  isKeyOf?: (name: string) => boolean;
  mayMatch?: (text: string, at: number) => boolean;
}

interface Name {
  /** Without the letter of an escape or a colour before it. */
  text: string;
  /** Whether it is the user of a URL: `https://x-access-token:…@host`. */
  isUser: boolean;
}

/** Letters, digits, `_`, `.` and `-`. */
const isNamePart = (code: number): boolean => isWordChar(code) || code === 0x2e || code === 0x2d;

/** What stands before the label at `index` and belongs to the same name. */
function nameBefore(text: string, index: number): Name {
  const before = text.slice(Math.max(0, index - NAME_CHARS_MAX), index);
  let from = before.length;
  while (from > 0 && isNamePart(before.charCodeAt(from - 1))) from -= 1;
  const name = before.slice(from);
  const sign = before[from - 1];
  const own = sign === '\\' ? name.slice(1) : sign === '[' ? name.replace(/^\d*m/, '') : name;
  return { text: own, isUser: before.endsWith('://', from) };
}

const OPTION_NAME = /^-[A-Z]?\w*$/;
/** `--db-password`, and of PowerShell and Java `-Password`. */
const isOptionName = (name: string, before: string | undefined): boolean =>
  name.startsWith('--') || (before === ' ' && name[0] === '-' && OPTION_NAME.test(name));

/** Where an option's value is to be read: `fd:3`, `file:pass1.txt`, `!PW1!`. */
const NO_FLAG_SECRET = /^(?:fd|file|env|pass|stdin):|^!\w+!$|^[\w./-]+\.[a-z]{2,10}$/i;

/** Behind an option: `see the --passphrase-repeat option.` */
const WORD_OF_PROSE = /^[a-z]{2,16}[.:]$/;

/** Prose: `# pass 0`, `the password was`. Most labels stand in it, and to see that here spares them the patterns. */
const isFollowedByWord = (text: string, end: number): boolean =>
  text[end] === ' ' && isAlphanumeric(text.charCodeAt(end + 1));

/** Whether a value in marks stands there behind a space: only an option's value does, or what `spacedValue` knows. */
const isBeforeValue = (text: string, end: number): boolean =>
  text[end] === ' ' && '"\''.includes(text[end + 1] ?? ' ');

/** Whether a marker stands there, with or without a quotation mark: nothing that begins so is a secret. */
const isMarker = (text: string, at: number): boolean =>
  text.startsWith('[REDACTED:', '"\'`'.includes(text[at] ?? ' ') ? at + 1 : at);

/** Of word characters, dots and dashes: whether there are only upper case, digits and `_`. */
const isUpperCase = (name: string): boolean =>
  name === name.toUpperCase() && !name.includes('-') && !name.includes('.');

/** What code has between a name and `=`: `password[] =` of C and PHP, `password As String =`; `scanner.wat` says the same. */
const TYPE = /^(?:\[\d{0,4}\]| As String)?/;
const typeEnd = (text: string, end: number): number =>
  text[end] === '[' || text.startsWith(' As', end)
    ? end + TYPE.exec(text.slice(end, end + ' As String'.length))![0].length
    : end;

/** Whether a label is one of several: `tokens`, `apiKeys`, and not `pass`. */
const isPlural = (label: string): boolean => /[^s]s$/i.test(label);

/** docs.github.com, workflow commands: `::set-output name=token::…` */
const commandSign = (text: string, nameStart: number, end: number): Separator | undefined =>
  text.startsWith('::', end) && text.startsWith(' name=', nameStart - ' name='.length)
    ? { text: '=', end: end + 2 }
    : undefined;

/** RFC 2849, LDIF: `userPassword:: cGFzc3dvcmQ=`, and lines that go on with a space. */
const LDIF_NAME = /^(?:userPassword|unicodePwd|samba(?:NT|LM)Password)$/i;
const LDIF_VALUE = /^[A-Za-z\d+/]{4,128}(?:\r?\n [A-Za-z\d+/]{1,128}){0,8}={0,2}/;
const LDIF_CHARS_MAX = 1200;

function ldifValue(text: string, nameStart: number, end: number): Span | undefined {
  if (!text.startsWith(':: ', end) || !LDIF_NAME.test(text.slice(nameStart, end))) return undefined;
  const start = end + ':: '.length;
  const value = LDIF_VALUE.exec(text.slice(start, start + LDIF_CHARS_MAX))?.[0];
  return value === undefined ? undefined : { start, end: start + value.length };
}

/** Signs behind `=` that make another operator of it in code, but begin a value where `NAME=` begins a line. */
const envSign = (text: string, end: number): Separator | undefined =>
  text[end] === '=' && ':>~'.includes(text[end + 1] ?? ' ')
    ? { text: '=', end: end + 1 }
    : undefined;

const mayBeKey = (name: string | undefined, key: Pattern): boolean =>
  name !== undefined && key.test(name);

/** A rule for what is assigned to a name that ends with a label, which stays visible. */
export function labelled({
  id,
  kind,
  label,
  words,
  isSecret,
  keyLabel,
  isUpper = false,
  isKeyOf,
  mayMatch,
}: Labelled): RedactionRule {
  const numbered = `(?:${label})(?:[_-]?\\d{1,2})?`;
  const key = expression(`(?:${keyLabel ?? numbered})$`, 'i');
  const isKey = (name: string): boolean =>
    key.test(name) || (keyLabel === undefined && mayBeKey(withoutSuffix(name), key));
  const pattern = expression(
    `(?:${label})(?:[_-]?\\d{1,2}|${MAYBE_SUFFIX})?(?<!${IN_MARKER})(?=[\\\\"'\`\\] \\t:=%&\\x1b]|[?+]=|[({]["']|\\[[\\]\\d])`,
    'iy',
  );
  /** Behind `--password=` no variable of code stands, whatever its name: `dbPass1`. */
  const isFlagSecret = (value: string, form: ValueForm) =>
    isSecret(value, form) ||
    (hasAny(value, isDigit) && !NO_FLAG_SECRET.test(value) && isSecret(value, 'env'));
  const assigned = (text: string, found: RegExpExecArray, name: Name): NamedSpan | undefined => {
    const end = typeEnd(text, found.index + found[0].length);
    const nameStart = found.index - name.text.length;
    const isOption = isOptionName(name.text, text[nameStart - 1]);
    if (!isOption && isFollowedByWord(text, end)) {
      if (kind === KIND.password) return toldValue(text, end);
      if (kind === KIND.secret) return toldToken(text, end);
      if (kind === KIND.pass) return toldValue(text, end, isToldPassValue);
      return kind === KIND.short ? toldValue(text, end, isToldShortPass) : undefined;
    }
    const spaced = isOption ? undefined : spacedValue(text, nameStart, end);
    if (spaced !== undefined)
      return isSecret(spaced.text, 'quoted')
        ? { start: spaced.start, end: spaced.end() }
        : undefined;
    const printed = printedValue(text, nameStart, end, isSecret);
    if (printed !== undefined) return printed;
    const argument = argumentValue(text, end);
    if (argument !== undefined) {
      const isOne =
        isSecret(argument.text, 'quoted') &&
        (name.text[0] === '-' ? argument.text[0] !== '-' : isMixedArgument(argument.text));
      return isOne ? { start: argument.start, end: argument.end() } : undefined;
    }
    if (!isOption && isBeforeValue(text, end)) return undefined;
    const encoded = ldifValue(text, nameStart, end);
    if (encoded !== undefined) return encoded;
    const isEnvName = isUpperCase(name.text + found[0]);
    const sign =
      (isEnvName ? envSign(text, end) : undefined) ??
      commandSign(text, nameStart, end) ??
      separatorAt(text, end);
    if (sign === undefined || isMarker(text, sign.end)) return undefined;
    const separator = behindProperty(text, sign);
    // The password of a URL has a rule of its own, which knows where it ends.
    if (name.isUser && separator.text === ':') return undefined;
    // A command may go on behind a backslash; a line of usage behind `[--password]`.
    const mayBeSpaced = isOption && !text.slice(end, sign.end).includes(']');
    if (!mayBeSpaced && separator.text.replaceAll('\\', '').trim() === '') return undefined;
    const plain = valueAt(text, separator.end, separator.text);
    const isEmpty = plain?.quoted === true && plain.text === '';
    const value = plain?.quoted && !isEmpty ? plain : (wrappedValue(text, separator) ?? plain);
    const isEnv = isEnvName && isSetting(text, nameStart, separator);
    const isMarkItsOwn = isEnv && value?.quoted && (!value.closed || value.text === '');
    if (value?.quoted && !isMarkItsOwn) {
      const isOne =
        isSecret(value.text, 'quoted') ||
        ((isEnvName || kind === KIND.sharedKey) &&
          id === 'PASSWORD' &&
          isPassPhrase(name.text + found[0], value.text));
      return isOne ? { start: value.start, end: value.end() } : undefined;
    }
    const [first, ...more] = listedSecrets(
      text,
      separator.end,
      (one, form) =>
        isSecret(one, form) &&
        (isPlural(found[0]) || isMixedArgument(one)) &&
        (form !== 'bare' || id === 'PASSWORD' || one.length >= ITEM_CHARS_MIN),
    );
    if (first !== undefined) return { ...first, more };
    // An arrow is a function in most languages; only where a string follows it is a table's.
    if (separator.text.includes('=>')) return undefined;
    if (isOption && value !== undefined && WORD_OF_PROSE.test(value.text)) return undefined;
    const isFlag = isOption && id === 'PASSWORD' && separator.text === '=';
    return bareValue(text, nameStart, separator, value, isEnv, isFlag ? isFlagSecret : isSecret);
  };
  return {
    id,
    kind,
    reach: LABEL_REACH,
    ...(mayMatch !== undefined && { mayMatch }),
    ...(words !== undefined && { matchAt: (text, at) => labelAt(text, at, words) }),
    pattern,
    locate: (text, found) => {
      if (found[1] !== undefined && !isLabelSuffix(found[1])) return undefined;
      const name = nameBefore(text, found.index);
      const span = assigned(text, found, name);
      return span && { ...span, label: name.text + found[0] };
    },
    ...(keyLabel !== null && {
      underKey: (name: string, value: string) =>
        isKey(name) &&
        (!isUpper || isUpperCase(name)) &&
        isKeyOf?.(name) !== false &&
        (isSecret(value.slice(0, JUDGED_CHARS_MAX), 'quoted') ||
          (id === 'PASSWORD' && isUpperCase(name) && isPassPhrase(name, value))),
    }),
  };
}

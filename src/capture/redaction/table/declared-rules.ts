import { valueAt } from '../assigned-value.ts';
import { expression, matchesOf, type Pattern } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { DECLARED_CHARS_MAX, isSign } from '../signs.ts';
import { isPlaceholder } from '../values.ts';
import { secretUnder } from './secret-under.ts';

/** Secrets of which a word before them says what they are: a variable's name, a resource's type, a parameter's. */

/** Quotation marks, also inside JSON inside JSON. */
const Q = '\\\\{0,7}["\']';
const NEWLINE = '(?:\\r?\\n|\\\\{1,7}(?:r\\\\{1,7})?n)';

/** The value in marks that begins at `from`, unless an example stands there. */
function quoted(text: string, from: number, id: string): NamedSpan[] {
  const value = valueAt(text, from, '');
  if (!value?.quoted || isPlaceholder(value.text)) return [];
  return [{ start: value.start, end: value.end(), id }];
}

interface Declared {
  /** The word that the scanner finds. */
  readonly word: string;
  /** Of the stretch behind the word, which begins with it, each place where a value begins: the end of the match. */
  readonly pattern: Pattern;
  /** What is no longer part of the declaration. */
  readonly end?: Pattern;
  readonly values: (text: string, from: number, match: RegExpExecArray) => Iterable<NamedSpan>;
}

const declared = (
  word: string,
  source: string,
  values: Declared['values'],
  end?: string,
): Declared => ({
  word,
  pattern: expression(source, 'g'),
  ...(end !== undefined && { end: expression(end, 'g') }),
  values,
});

/** Up to another one of the same. */
const OTHER_RESOURCE = `(?:resource|data|module|output|variable) ${Q}|${Q}(?:mode|type)${Q}\\s{0,8}:|\\n *# `;

const DECLARED: readonly Declared[] = [
  // developer.hashicorp.com: variable "db_password" { … default = "…" }
  declared(
    'variable ',
    `default[ \\t]{1,40}=[ \\t]{1,4}(?=${Q})`,
    (text, from, { input }) => {
      const name = /^variable \\{0,7}"([\w-]{1,128})/.exec(input);
      const value = valueAt(text, from, '');
      const id = value && secretUnder(name?.[1] ?? '', value.text);
      return value && id ? [{ start: value.start, end: value.end(), id }] : [];
    },
    OTHER_RESOURCE,
  ),
  // registry.terraform.io, hashicorp/random: result = "…" in a plan, "result": "…" in a state; before and after
  declared(
    'random_password',
    `(?:\\bresult|(?<=\\\\n)result)(?:${Q})?[ \\t]{0,40}[:=][ \\t]{0,4}(?=${Q})`,
    (text, from) => {
      const [value] = quoted(text, from, 'TERRAFORM-VALUE');
      if (value === undefined) return [];
      const arrow = AFTER.exec(text.slice(value.end, value.end + 20))?.[0] ?? '';
      const after = arrow === '' ? [] : quoted(text, value.end + arrow.length, 'TERRAFORM-VALUE');
      return [value, ...after];
    },
    OTHER_RESOURCE,
  ),
  // docs.aws.amazon.com, ssm get-parameter: as JSON, text, YAML and a table
  declared(
    'SecureString',
    `^SecureString${Q},\\s{0,40}(?:(?:\\\\{1,7}[nrt])\\s{0,40}){0,2}${Q}Value${Q}\\s{0,4}:\\s{0,4}(?=${Q})`,
    (text, from) => quoted(text, from, 'AWS-PARAMETER'),
  ),
  declared(
    'SecureString',
    `^SecureString(?:(?:\\t|\\\\{1,7}t)|${NEWLINE}[ \\t]{0,20}Value: |[ \\t]{0,200}\\|[ \\t]{0,4}${NEWLINE}[| \\t]{1,20}Value[ \\t]{1,20}\\|[ \\t]{0,4})(?=[^\\s\\\\])`,
    (text, from) => {
      const [value = ''] = /^[^\s\\]{3,}/.exec(text.slice(from, from + DECLARED_CHARS_MAX)) ?? [];
      return isPlaceholder(value)
        ? []
        : [{ start: from, end: from + value.length, id: 'AWS-PARAMETER' }];
    },
  ),
  // helm.sh, --set name=value,name=value: nothing in them is code
  declared('--set', `^--set(?:-string|-literal|-raw)?[ =](?:${Q})?(?=[^\\s"'\\\\])`, settings),
  // docs.github.com, workflow commands; learn.microsoft.com, logging commands: they say themselves that it is one
  declared('add-mask::', '^add-mask::(?=[^\\s"\'\\\\$*])', declaredSecret),
  declared(
    'setvariable var',
    '^setvariable variable=[^\\]\\n]{1,160}\\](?=[^\\s"\'\\\\$*])',
    ofCommand,
  ),
  declared('setsecret]', '^setsecret\\](?=[^\\s"\'\\\\$*])', declaredSecret),
  // RFC 7578, multipart/form-data: a field's name in its header, and its value behind an empty line
  declared(
    '-data; name=',
    `^-data; name=\\\\{0,7}["']?([\\w.[\\]-]{1,64})(?:${Q})?(?:;[^\\r\\n\\\\]{0,80})?(?:${NEWLINE}[A-Za-z-]{1,32}: [^\\r\\n\\\\]{1,80}){0,3}${NEWLINE}${NEWLINE}(?=[^\\s\\\\])`,
    (text, from, match) => {
      const isEscaped = match[0].endsWith('n');
      const rest = text.slice(from, from + DECLARED_CHARS_MAX);
      const [value = ''] = (isEscaped ? /^[^\\"]*/ : /^[^\r\n]*/).exec(rest) ?? [];
      const id = secretUnder((match[1] ?? '').replace(/\]$/, ''), value);
      return id === undefined ? [] : [{ start: from, end: from + value.length, id }];
    },
  ),
  // the.earth.li/~sgtatham/putty: private keys of PuTTY
  declared('Private-Lines: ', `^Private-Lines: \\d{1,4}(?=${NEWLINE})`, (text, from) => {
    const lines = KEY_LINES;
    lines.lastIndex = from;
    const found = lines.exec(text)?.[0] ?? '';
    const lead = FIRST_LINE.exec(found)?.[0].length ?? 0;
    return found === ''
      ? []
      : [{ start: from + lead, end: from + found.length, id: 'PRIVATE-KEY' }];
  }),
];

/** The rest of the line, or of the text inside JSON. */
function declaredSecret(text: string, from: number): NamedSpan[] {
  const [value = ''] = /^[^\r\n"'\\]*/.exec(text.slice(from, from + DECLARED_CHARS_MAX)) ?? [];
  const end = from + value.trimEnd().length;
  return isPlaceholder(value.trimEnd()) ? [] : [{ start: from, end, id: 'SECRET' }];
}

/** The same of a variable that says so, or whose name does. */
function ofCommand(text: string, from: number, { 0: command }: RegExpMatchArray): NamedSpan[] {
  const [value] = declaredSecret(text, from);
  if (value === undefined || /issecret=true/i.test(command)) return value ? [value] : [];
  const name = /variable=([\w.-]{1,64})/.exec(command)?.[1] ?? '';
  const id = secretUnder(name, text.slice(value.start, value.end));
  return id === undefined ? [] : [{ ...value, id }];
}

/** The longest argument. */
const SETTINGS_CHARS_MAX = 400;

/** `a.user=x,a.password=y` */
function* settings(text: string, from: number): Generator<NamedSpan> {
  const [all = ''] = /^[^\s"'\\]*/.exec(text.slice(from, from + SETTINGS_CHARS_MAX)) ?? [];
  let start = from;
  for (const setting of all.split(',')) {
    const equals = setting.indexOf('=');
    const value = setting.slice(equals + 1);
    const name = setting.slice(0, Math.max(0, equals)).split('.').at(-1) ?? '';
    const id = value.length < VALUE_CHARS_MIN ? undefined : secretUnder(name, value);
    if (id !== undefined) yield { start: start + equals + 1, end: start + setting.length, id };
    start += setting.length + 1;
  }
}
/** The shortest secret. */
const VALUE_CHARS_MIN = 4;

/** What a plan has between the value before and the one after. */
const AFTER = expression(`^${Q} -> (?=${Q})`);

/** What programs print before a line. */
const PREFIX = '(?:[+ -]|[\\w./-]{1,200}[:-]\\d{1,6}[:-]|[ \\t]{0,8}\\d{1,6}[:\\t\\u2192])?';
const FIRST_LINE = expression(`^${NEWLINE}${PREFIX}`);
const KEY_LINES = expression(
  `(?:${NEWLINE}${PREFIX}[A-Za-z0-9+/]{1,76}={0,2}(?![A-Za-z0-9+/=:_.-])){1,999}`,
  'y',
);

/** The end of another word, but not an escape. */
const IN_WORD = /(?<!\\)[A-Za-z\d]$/;

function* valuesOf(text: string, at: number): Generator<NamedSpan> {
  const near = text.slice(at, at + DECLARED_CHARS_MAX);
  if (near[0] !== '-' && IN_WORD.test(text.slice(Math.max(0, at - 2), at))) return;
  for (const { word, pattern, end, values } of DECLARED) {
    if (!near.startsWith(word)) continue;
    const own = end === undefined ? near : declaration(near, end);
    for (const match of matchesOf(pattern, own))
      yield* values(text, at + match.index + match[0].length, match);
  }
}

/** How far a declaration goes; what says what it is stands behind its word. */
function declaration(near: string, end: Pattern): string {
  for (const { index } of matchesOf(end, near)) if (index > OWN_CHARS) return near.slice(0, index);
  return near;
}
/** `resource "random_password" "db"` */
const OWN_CHARS = 20;

export const DECLARED_RULES: readonly RedactionRule[] = [
  {
    id: 'AWS-PARAMETER',
    ids: ['TERRAFORM-VALUE', 'PRIVATE-KEY', 'PASSWORD', 'SECRET'],
    kind: KIND.declared,
    *find(text, places) {
      if (!isSign(KIND.declared, text, places)) return;
      let from = 0;
      for (const at of places.at(KIND.declared)) {
        for (const span of valuesOf(text, at)) {
          if (span.start < from) continue;
          from = span.end;
          yield span;
        }
      }
    },
  },
];

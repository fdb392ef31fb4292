import { holdsLabelPart } from './name-signs.ts';
import { isWordChar } from './word-char.ts';

/*
 * What the commoner signs of settings need besides, in plain code: ordinary text holds them every now and then, and must not ask for
 * the table in vain.
 */

/** Where what `isOne` tells of characters ends, from `at` on; from the character before it where `step` is -1. */
function endOf(text: string, at: number, isOne: (char: string) => boolean, step = 1): number {
  let end = at;
  while (isOne(text[step < 0 ? end - 1 : end] ?? '\0')) end += step;
  return end;
}
const isMarkOrSpace = (char: string): boolean => ' \t\n\\"'.includes(char);
const isTokenChar = (char: string): boolean => char === '-' || isWordChar(char.charCodeAt(0));
const isHostChar = (char: string): boolean => '.*'.includes(char) || isTokenChar(char);

/** The shortest token in the place of a URL's user. */
const USER_CHARS_MIN = 20;
/** How far before a command that reads a secret the pipe stands, and before an arrow its name, characters. */
const PIPE_WITHIN = 260;
const CHANGED_WITHIN = 1200;
const CHANGED = 'password passphrase secret token key connection_string'.split(' ');

/** Commands that keep a secret which they read; `table/login-rules.ts` has them, too. */
const KEEPERS = ['secret set', 'secret put', 'env add', 'secret create', '--data-file=-'];
/** Whether something is written into what reads it there. */
const isFed = (text: string, at: number): boolean =>
  text.slice(Math.max(0, at - PIPE_WITHIN), at).includes('|') ||
  text.slice(at, at + PIPE_WITHIN).includes('<<<');

/** How far before `VALUES` its columns stand, characters. */
const COLUMNS_CHARS_MAX = 900;

/** Columns, of which one may have secrets. */
const COLUMNS = /into\s[^()]{1,128}\([^()]*(?:pass|pwd|secret|token|key)/i;
const isInsert = (text: string, at: number): boolean =>
  COLUMNS.test(text.slice(Math.max(0, at - COLUMNS_CHARS_MAX), at));

/** Twilio's name for an account, before its token, and how far behind Twilio's own it may stand, characters. */
const ACCOUNT = /["']AC[\da-f]{32}["'],/;
const ACCOUNT_WITHIN = 4000;

/** How far from `httpOnly` the object with the cookie's value begins and ends, characters. */
const COOKIE_WITHIN = 5000;
const COOKIE_VALUE = /value[\\"']{0,9}\s{0,8}:\s{0,8}\\{0,7}["'][^\s"'\\{}]{16}/;
const isCookie = (text: string, at: number): boolean => {
  const near = text.slice(Math.max(0, at - COOKIE_WITHIN), at + COOKIE_WITHIN);
  return near.includes('value') && COOKIE_VALUE.test(near);
};

/** Blocks of YAML that `table/key-blocks.ts` looks for a key in: what their names end with, as the scanner finds it, and begin with. */
export const BLOCKS = [
  ['crypt:', 'en'],
  ['jwt:', ''],
] as const;
/** How far behind one its key stands, characters. */
const BLOCK_WITHIN = 1440;
/** Where what indents the line ends that begins at `at`: also a diff's sign, and those of items of a list. */
export function endOfIndent(text: string, at: number): number {
  let end = '+-'.includes(text[at] ?? ' ') ? at + 1 : at;
  while (' \t'.includes(text[end] ?? 'x') || (text[end] === '-' && text[end + 1] === ' ')) end += 1;
  return end;
}
/** Where the line begins that has no more than that before `at`; undefined where it has. Also one that is escaped or in marks. */
export function startOfIndent(text: string, at: number): number | undefined {
  let from = at;
  while (' \t'.includes(text[from - 1] ?? 'x') || (text[from - 1] === '-' && text[from] === ' '))
    from -= 1;
  const isStart = (place: number): boolean =>
    '\n"\'`'.includes(text[place - 1] ?? '\n') ||
    (text[place - 1] === 'n' && text[place - 2] === '\\');
  if (isStart(from)) return from;
  return '+-'.includes(text[from - 1] ?? ' ') && isStart(from - 1) ? from - 1 : undefined;
}
/** Most are names of a field or words of prose: nothing but a comment is on the line, and a key is near. */
export const isBlock = (text: string, colon: number): boolean =>
  '\r\n\\#'.includes(text[endOf(text, colon + 1, (char) => char === ' ')] ?? '\n') &&
  text.slice(colon, colon + BLOCK_WITHIN).includes('key:');

/** What stands behind a word on its line. */
const LINE_WITHIN = 200;
const lineOf = (text: string, at: number): string =>
  text.slice(at, at + LINE_WITHIN).split('\n', 1)[0]!;
const isTelling = (line: string): boolean => holdsLabelPart(line.toLowerCase());
/** What `community` ends in where it is one of SNMP's. */
const COMMUNITIES = ['roco', 'rwco', 'snmp-server co'];
/** Of a user of SNMP. */
const DIGEST = /\s(?:SHA|MD5)/i;

/** Of the commoner settings what else they need, by how they begin; the others are signs enough. */
const SETTINGS: readonly (readonly [
  start: string,
  isOne: (text: string, at: number) => boolean,
])[] = [
  ...['@github.com/', '@gitlab.', '@bitbucket.org/'].map(
    (host) =>
      [
        host,
        (text: string, at: number) => at - endOf(text, at, isTokenChar, -1) >= USER_CHARS_MIN,
      ] as const,
  ),
  ...['--password-stdin', '--with-token', '--stdin', 'sudo -S', ...KEEPERS].map(
    (reader) => [reader, isFed] as const,
  ),
  ...['VALUES', ' values'].map((word) => [word, isInsert] as const),
  ['httpOnly', isCookie],
  ['ats auth ', (text, at) => text.startsWith('st', at - 2) && lineOf(text, at).includes(':')],
  ['AuthIdent', (text, at) => text.startsWith('npm', at - 3)],
  ['kv put ', (text, at) => text.startsWith('consul ', at - 7) && isTelling(lineOf(text, at))],
  ['mmunity ', (text, at) => COMMUNITIES.some((word) => text.endsWith(word, at))],
  ['createUser ', (text, at) => DIGEST.test(lineOf(text, at))],
  ...BLOCKS.map(
    ([end]) => [end, (text: string, at: number) => isBlock(text, at + end.length - 1)] as const,
  ),
  ['wilio', (text, at) => ACCOUNT.test(text.slice(at, at + ACCOUNT_WITHIN))],
  ['"kty', (text, at) => text[endOf(text, at + '"kty'.length, isMarkOrSpace)] === ':'],
  [
    '" -> ',
    (text, at) => {
      const before = text.slice(Math.max(0, at - CHANGED_WITHIN), at);
      const line = before.slice(before.lastIndexOf('\n') + 1).toLowerCase();
      return line.includes('=') && CHANGED.some((name) => line.includes(name));
    },
  ],
];
export const isSettingAt = (text: string, at: number): boolean =>
  SETTINGS.find(([start]) => text.startsWith(start, at))?.[1](text, at) !== false;

/** `_authToken=`, `_auth = `, and in old files a space alone. */
export function isNpmrcAt(text: string, at: number): boolean {
  // The longest of them, and what stands before and behind it.
  const near = text.slice(at, at + 16);
  return ' \t='.includes(near[endOf(near, near.indexOf('_'), isTokenChar)] ?? ':');
}

/** A host that begins its line, in brackets or behind `echo`. */
export function isPgpassAt(text: string, at: number): boolean {
  const host = endOf(text, at, isHostChar, -1);
  const before = text[host - 1] ?? '\n';
  if ('"\''.includes(before)) return text.slice(Math.max(0, host - 8), host).includes('echo ');
  return ']\n\\ \t+-'.includes(before);
}

/** `"sensitive": true` */
export const isSensitiveAt = (text: string, at: number): boolean =>
  text[at - 1] === '"' && text[endOf(text, at + 'sensitive'.length, isMarkOrSpace)] === ':';

import { expression, type Pattern } from './expression.ts';
import * as KIND from './kinds.ts';
import { endsWithName, holdsLabelPart, LABEL, mayBeNamed, NAMED } from './name-signs.ts';
import { mayBePhrase, PHRASE } from './phrase-signs.ts';
import type { Places } from './places.ts';
import { isSessionPair } from './session-pair.ts';
import { isNpmrcAt, isPgpassAt, isSensitiveAt, isSettingAt } from './setting-signs.ts';
import { isWordChar } from './word-char.ts';

/** Of the commoner signs, what must stand in the text besides; so that the hook seldom asks for the table in vain. */
const BESIDES: Readonly<Partial<Record<number, RegExp>>> = {
  [KIND.connection]: /ser id=|uid=|erver=|jdbc:|ource=/i,
  [KIND.terraformValue]: /value/,
};

/** What a command that takes a secret has behind its name: an option, or words that need none. */
const OPTION = expression(
  String.raw` -[a-zA-Z]{0,4}[abNpPuUw]| --(?:user|proxy-user|cookie|password|body)| -(?:(?:src|dest)?store|key)pass |openssl [^\n]{0,200} -k |(?:sqlplus|sqlldr|dp) [^\n/]{1,80}/| /(?:user:|r?p )|AUTH |redis-cli [^\n]{0,200}auth |(?:login|authtoken|setapikey)(?: --?[\w-]{1,32}){0,4} ["'\\]{0,4}[\w.+/=-]{16}|(?:add_user|change_password|mc alias set) |nmcli [^\n]{0,200} password |net user \S{1,64} \S|wpa_passphrase [^\n]{1,100}[\d>|]|snyk auth \S{8}-|xfreerdp[^\n]{1,300}/p:|admin password \S|snmp[^\n]{0,200} (?:-[cAX]|auth [a-zA-Z]) ?\S`,
  'y',
);
/** What it begins with. */
const OPTION_STARTS =
  ' -|openssl |redis-cli |sqlplus |sqlldr |dp | /|AUTH |login |authtoken |setapikey |add_user |change_password |mc alias set |nmcli |net user |wpa_passphrase |snyk auth |xfreerdp|admin password |snmp'.split(
    '|',
  );

function holdsOption(text: string): boolean {
  return OPTION_STARTS.some((start) => {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      OPTION.lastIndex = at;
      if (OPTION.test(text)) return true;
    }
    return false;
  });
}
/** How far behind it, characters: it may go on over two lines. */
const OPTION_WITHIN = 900;
/** Less than that by the longest option. */
const SEARCHED_CHARS = 580;

/**
 * Whether a command of a text has an option behind it, where they are asked for in order: what was searched behind one is not searched
 * behind the next, for a kilobyte may hold hundreds. The end of a word, and what prose says of security, are none.
 */
function commands(): (text: string, at: number) => boolean {
  let last = -SEARCHED_CHARS;
  return (text, at) => {
    const start = text.slice(at, at + 12);
    if (
      at <= last ||
      (start.startsWith('az ') && isWordChar(text.charCodeAt(at - 1)) && text[at - 2] !== '\\') ||
      (start.startsWith('security ') && !'unlcreimpexp'.includes(start.slice(9)))
    )
      return false;
    last = Math.max(last + SEARCHED_CHARS, at);
    return holdsOption(text.slice(last, last + OPTION_WITHIN));
  };
}

const AROUND_CHARS_MAX = 120;

/** Whether a sticky expression matches between the two. */
function standsAt(pattern: Pattern, before: string, behind: string): boolean {
  pattern.lastIndex = before.length;
  return pattern.test(before + behind);
}

/** `**`: a name in bold. */
const BOLD = '**';
/** `subscription key`, `secret**` */
const SPACED_CHARS_MAX = 16;

/** As long as no word is, characters. */
const LONG_CHARS_MIN = 16;
/** What may stand before it: a mark, inside JSON inside JSON too. */
const MARK_CHARS_MAX = 10;
/** `is: now ` */
const IS_CHARS_MAX = 8;

function hasLongRun(text: string): boolean {
  let run = 0;
  for (let at = 0; at < text.length && run < LONG_CHARS_MIN; at += 1)
    run = isWordChar(text.charCodeAt(at)) || '-+/'.includes(text[at]!) ? run + 1 : 0;
  return run === LONG_CHARS_MIN;
}

/** Whether a value is assigned to the name that ends at a place. */
function isSpacedName(behind: string, end: number): boolean {
  let at = end;
  if (behind.startsWith(BOLD, at)) at += BOLD.length;
  // `use my api key 9f86…`
  if (behind[at] === ' ' && hasLongRun(behind.slice(at, at + LONG_CHARS_MIN + MARK_CHARS_MAX)))
    return true;
  // `Unseal Key 1`, `API Key**`, `Secret Access Key [None]`
  while (' *`0123456789'.includes(behind[at] ?? '-')) at += 1;
  // `the API key is 9f86…`
  if (/^is:? /i.test(behind.slice(at, at + 4)))
    return hasLongRun(behind.slice(at, at + IS_CHARS_MAX + MARK_CHARS_MAX + LONG_CHARS_MIN));
  if (behind[at] === '[') at = behind.indexOf(']', at) + 1;
  return ':='.includes(behind[at] ?? ' ') && behind.slice(at + 1).trim() !== '';
}

/** `"slotSetting": false, "`: a field of an object between a name and its value. */
const FIELD =
  /\\{0,7}"\w{1,30}\\{0,7}"\s{0,8}:\s{0,8}(?:true|false|null|\d{1,9}|\\{0,7}"[\w.-]{0,30}\\{0,7}"),(?:\s|\\{1,7}[nrt]){0,30}(?=\\{0,7}"$)/;
const FIELDS_MAX = 3;

/** What stands before `value`, without what CloudFormation calls it by and such fields. */
function nameBefore(before: string): string {
  let own = before.endsWith('Parameter') ? before.slice(0, -'Parameter'.length) : before;
  // `android:value`
  if (own.endsWith(':')) own = own.replace(/\w{1,16}:$/, '');
  if (!own.endsWith('"') || endsWithName(own)) return own;
  if (!holdsLabelPart(own.toLowerCase())) return own;
  for (let field = 0; field < FIELDS_MAX && !endsWithName(own); field += 1)
    own = own.replace(FIELD, '');
  return own;
}

/** Whether a name stands where the sign of this place has it. */
export function isNamed(text: string, at: number): boolean {
  if (text[at] === 'v' && isSessionPair(text, at)) return true;
  const all = text.slice(Math.max(0, at - AROUND_CHARS_MAX), at);
  const before = 'vV'.includes(text[at] ?? ' ') ? nameBefore(all) : all;
  const behind = text.slice(at, at + AROUND_CHARS_MAX);
  const start = behind.slice(0, SPACED_CHARS_MAX).toLowerCase();
  if (start.startsWith('key is')) return isSpacedName(behind, 'key'.length);
  const key = start.indexOf(' key');
  if (key >= 0) return isSpacedName(behind, key + ' key'.length);
  const bold = start.indexOf(BOLD);
  if (bold >= 0) return isSpacedName(behind, bold);
  return mayBeNamed(before.toLowerCase(), behind.toLowerCase()) && standsAt(NAMED, before, behind);
}

/** A hash or a webhook is long; in a `.netrc` the word stands behind a machine, a login and maybe an account. */
const BEGINNING_CHARS_MAX = 640;
const BEGINNING_CHARS_MIN = 24;
const isBeginning = (char: string | undefined): boolean =>
  char !== undefined && (isWordChar(char.charCodeAt(0)) || './$+={},~@%\\-'.includes(char));

function begins(text: string, at: number): boolean {
  let end = at;
  while (end - at < BEGINNING_CHARS_MIN && isBeginning(text[end])) end += 1;
  if (end - at === BEGINNING_CHARS_MIN || text.startsWith('_mmk', at)) return true;
  const near = text.slice(at, at + BEGINNING_CHARS_MAX);
  return near.startsWith('"Jwt')
    ? near.includes('"Key"')
    : isWordChar(near.charCodeAt(0)) && near.includes('password');
}
/** How far behind its sign a declaration's value stands, characters; less than V8 makes machine code for. */
export const DECLARED_CHARS_MAX = 990;
/** Behind a sign of `table/declared-rules.ts` or `table/told-rules.ts`, what its secret cannot do without. */
const DECLARED = expression(
  String.raw`^(?:variable \\{0,7}"[\w-]*${LABEL}\\{0,7}" ?\{[^]*default|random_password[^]*result|SecureString(?:\\{0,7}["']|\\{1,7}[nrt]|\t|\s*\||\s*\n)|--set(?:-string|-literal|-raw)?[ =]\S{0,200}${LABEL}\\{0,7}=|Private-Lines: \d|cret_access_key +[\w/+]{40}|add-mask::[^\s$*]|(?:setvariable variable=[^\]\n]{1,160}|setsecret)\][^\s$*]|b-(?:oauth|token)(?:\.[\w.-]+ |\\{0,7}"\s*:[\s\\nrt]*\{)|-data; name=\\{0,7}["']?[\w.[\]-]*${LABEL}|(?:ot de )?[a-z]\S{0,20}?["']?(?: ?[:=] ?| (?:\S{1,7} )?)\S{0,130}\d)`,
  'i',
);
const isDeclared = (text: string, at: number): boolean =>
  DECLARED.test(text.slice(at, at + DECLARED_CHARS_MAX));

/** How far behind its name the last digit of a told password stands, characters. */
const TOLD_CHARS_MAX = 160;
const isTold = (text: string, at: number): boolean =>
  /\d/.test(text.slice(at, at + TOLD_CHARS_MAX));

const PHRASE_CHARS_MAX = 200;
/** What is signed stands before its secret. */
const JWT_CHARS_MAX = 420;
export const PHRASE_BEFORE_CHARS_MAX = 40;

/** All that is told so has a digit, or is an argument; most sentences have none. */
export function isPhrase(text: string, at: number): boolean {
  const isJwt = text.startsWith('jwt', at) || text.startsWith('JWT', at);
  const behind = text.slice(at, at + (isJwt ? JWT_CHARS_MAX : PHRASE_CHARS_MAX));
  const before = text.slice(Math.max(0, at - PHRASE_BEFORE_CHARS_MAX), at);
  return (
    mayBePhrase(before.toLowerCase(), behind.toLowerCase()) && standsAt(PHRASE, before, behind)
  );
}

/** Behind `?` or `&`, or what they are written as, a value as long as no word is: `?key=9f86…`, `&amp;key=`, `\\u0026key=`. */
const isKeyInUrl = (text: string, at: number): boolean =>
  /[?&]$|amp;$|#38;$|26$|3f$/i.test(text.slice(Math.max(0, at - 4), at)) &&
  hasLongRun(text.slice(at, at + 'appid='.length + LONG_CHARS_MIN));

/** Of other signs, what stands at the place itself. */
const AT_PLACE: Readonly<Partial<Record<number, typeof begins>>> = {
  [KIND.named]: isNamed,
  [KIND.statement]: isNamed,
  [KIND.phrase]: isPhrase,
  [KIND.kubernetes]: isNamed,
  [KIND.place]: begins,
  [KIND.netrc]: begins,
  [KIND.hash]: begins,
  [KIND.declared]: isDeclared,
  [KIND.keyInUrl]: isKeyInUrl,
  [KIND.setting]: isSettingAt,
  [KIND.npmrc]: isNpmrcAt,
  [KIND.pgpass]: isPgpassAt,
  [KIND.terraformValue]: isSensitiveAt,
  [KIND.told]: isTold,
};

/** Whether the sign that the scanner found is one: whether the text has what its rules cannot do without. */
export function isSign(kind: number, text: string, places: Places): boolean {
  let isOne = places.signs.get(kind);
  if (isOne === undefined) {
    const stands = kind === KIND.command ? commands() : AT_PLACE[kind];
    isOne =
      BESIDES[kind]?.test(text) !== false &&
      (!stands || places.at(kind).some((at) => stands(text, at)));
    places.signs.set(kind, isOne);
  }
  return isOne;
}

/** Whether any of the signs is one without which the rules of `table/context-rules.ts` find nothing. */
export function hasSign(text: string, places: Places): boolean {
  for (const kind of places.kinds) if (kind < KIND.token && isSign(kind, text, places)) return true;
  return false;
}

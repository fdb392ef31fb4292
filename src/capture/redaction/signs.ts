import { expression } from './expression.ts';
import * as KIND from './kinds.ts';
import { isNamed, LABEL } from './named-signs.ts';
import { isPhrase } from './phrase-signs.ts';
import type { Places } from './places.ts';
import { isNpmrcAt, isPgpassAt, isSensitiveAt, isSettingAt } from './setting-signs.ts';
import { isWordChar } from './word-char.ts';

/** Of the commoner signs, what must stand in the text besides; so that the hook seldom asks for the table in vain. */
const BESIDES: Readonly<Partial<Record<number, RegExp>>> = {
  [KIND.connection]: /ser id=|uid=|erver=|jdbc:|ource=/i,
};

/** What a command that takes a secret has behind its name: an option, or words that need none. */
const OPTION = expression(
  String.raw` -[a-zA-Z]{0,4}[abNpPuUw]| --(?:user|proxy-user|cookie|password|body)| -(?:(?:src|dest)?store|key)pass |openssl [^\n]{0,200} -k |(?:sqlplus|sqlldr|dp) [^\n/]{1,80}/| /(?:user:|r?p )|AUTH |(?:login|authtoken|setapikey)(?: --?[\w-]{1,32}){0,4} ["'\\]{0,4}[\w.+/=-]{16}|(?:add_user|change_password|mc alias set) |nmcli [^\n]{0,200} password `,
  'y',
);
/** What it begins with. */
const OPTION_STARTS =
  ' -|openssl |sqlplus |sqlldr |dp | /|AUTH |login |authtoken |setapikey |add_user |change_password |mc alias set |nmcli '.split(
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

/** Whether it is the command, and not the end of a word or what prose says of security. */
function isCommand(text: string, at: number): boolean {
  const isInWord = isWordChar(text.charCodeAt(at - 1)) && text[at - 2] !== '\\';
  if (text.startsWith('az ', at) && isInWord) return false;
  const verb = at + 'security '.length;
  if (
    text.startsWith('security ', at) &&
    !['unl', 'cre', 'imp', 'exp'].includes(text.slice(verb, verb + 3))
  )
    return false;
  return holdsOption(text.slice(at, at + OPTION_WITHIN));
}

/** A hash or a webhook is long; in a `.netrc` the word stands behind a machine, a login and maybe an account. */
const BEGINNING = expression(String.raw`^(?:[\w./$+={},~@%\\-]{24}|_mmk|\w+ [\s\S]*password)`);
const BEGINNING_CHARS_MAX = 640;
/** How far behind its sign a declaration's value stands, characters; less than V8 makes machine code for. */
export const DECLARED_CHARS_MAX = 990;
const begins = (text: string, at: number): boolean =>
  BEGINNING.test(text.slice(at, at + BEGINNING_CHARS_MAX));

/** Behind a sign of `table/declared-rules.ts` or `table/told-rules.ts`, what its secret cannot do without. */
const DECLARED = expression(
  String.raw`^(?:variable \\{0,7}"[\w-]*${LABEL}\\{0,7}" ?\{[^]*default|random_password[^]*result|SecureString(?:\\{0,7}["']|\\{1,7}[nrt]|\t|\s*\||\s*\n)|--set(?:-string|-literal|-raw)?[ =]\S{0,200}${LABEL}\\{0,7}=|Private-Lines: \d|cret_access_key +[\w/+]{40}|add-mask::[^\s$*]|(?:setvariable variable=[^\]\n]{1,160}|setsecret)\][^\s$*]|b-(?:oauth|token)(?:\.[\w.-]+ |\\{0,7}"\s*:[\s\\nrt]*\{)|-data; name=\\{0,7}["']?[\w.[\]-]*${LABEL}|-\w+\\{0,7}["'],(?:\s|\\n)*\\{0,7}["'][^-"'\\\s][^"'\\\s]{5}|(?:mot de passe|asswort|ennwort|enha|ontrase\S+|achtwoord|senord|alasana|dgangskode|eslo|arola)["']?(?: ?[:=] ?| \S{1,7} )\S*\d)`,
  'i',
);
const isDeclared = (text: string, at: number): boolean =>
  DECLARED.test(text.slice(at, at + DECLARED_CHARS_MAX));

/** How far behind its name the last digit of a told password stands, characters. */
const TOLD_CHARS_MAX = 160;
const isTold = (text: string, at: number): boolean =>
  /\d/.test(text.slice(at, at + TOLD_CHARS_MAX));

/** Of other signs, what stands at the place itself. */
const AT_PLACE: Readonly<Partial<Record<number, typeof begins>>> = {
  [KIND.named]: isNamed,
  [KIND.statement]: isNamed,
  [KIND.phrase]: isPhrase,
  [KIND.kubernetes]: isNamed,
  [KIND.place]: begins,
  [KIND.netrc]: begins,
  [KIND.hash]: begins,
  [KIND.command]: isCommand,
  [KIND.declared]: isDeclared,
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
    const stands = AT_PLACE[kind];
    isOne =
      stands === undefined
        ? BESIDES[kind]?.test(text) !== false
        : places.at(kind).some((at) => stands(text, at));
    places.signs.set(kind, isOne);
  }
  return isOne;
}

/** Whether any of the signs is one without which the rules of `table/context-rules.ts` find nothing. */
export function hasSign(text: string, places: Places): boolean {
  for (const kind of places.kinds) if (kind < KIND.token && isSign(kind, text, places)) return true;
  return false;
}

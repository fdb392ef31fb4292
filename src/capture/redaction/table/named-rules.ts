import { type AssignedValue, assignedValue, valueAt } from '../assigned-value.ts';
import { expression, matchesOf, type Pattern } from '../expression.ts';
import { QUOTE, UUID } from '../fragments.ts';
import * as KIND from '../kinds.ts';
import { tokenAt } from '../prose-value.ts';
import type { NamedSpan, RedactionRule } from '../rule.ts';
import { isNamed } from '../signs.ts';
import { labelledIds } from './labelled.ts';
import { SPACED_WORDS } from './literals.ts';
import { secretUnder } from './secret-under.ts';

/**
 * Values that belong to a telling name, but are not assigned to it with `=` or `:`. Each pattern matches from in front of
 * the name (group 1) up to the value.
 */

const LABEL =
  '(?:pass(?:w(?:or)?d|phrase|code)?|pwd|secret|token|credentials?|key|authorization|cookie)\\d{0,2}';
const NAME = `([\\w.:/-]{0,64}?${LABEL})`;
const NAME_CHARS_MAX = 80;
/** White space, also as the escapes of it. */
const SP = '(?:\\s|\\\\{1,7}[nrt])';

/** The value that begins where the match ends. */
const behind =
  (isValue: (value: AssignedValue) => boolean = () => true) =>
  (text: string, match: RegExpExecArray): NamedSpan | undefined => {
    const value = valueAt(text, match.index + match[0].length, '');
    if (value === undefined || !isValue(value)) return undefined;
    const id = secretUnder(match[1] ?? 'password', value.text);
    if (id === undefined) return undefined;
    // The scheme of an Authorization header stays.
    const scheme = /^(?:BASIC|BEARER)-/.test(id) ? value.text.indexOf(' ') + 1 : 0;
    return { start: value.start + scheme, end: value.end(), id };
  };

/** Long, and of all signs that there are. */
function ofSigns(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const value = valueAt(text, match.index + match[0].length, '');
  const isOne = value?.quoted && value.text.length >= 40 && !/^[\w .,/:-]*$/.test(value.text);
  return isOne ? { start: value.start, end: value.end(), id: 'SECRET' } : undefined;
}

const quotedOnly = behind(({ quoted }) => quoted);
/** Where prose may stand: a word alone is none. */
const noWord = behind(({ quoted, text }) => quoted || /\d/.test(text));

/** The text of an element, without white space and CDATA around it. */
function inElement(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const from = match.index + match[0].length;
  const whole = CONTENT.exec(text.slice(from, from + CONTENT_CHARS_MAX));
  if (whole === null) return undefined;
  const [, lead = '', value = ''] = whole;
  const id = secretUnder(match[1] ?? '', value.trimEnd());
  const start = from + lead.length;
  return id === undefined ? undefined : { start, end: start + value.trimEnd().length, id };
}

const CONTENT = expression(
  '^((?:\\s|\\\\[nrt])*(?:<!\\[CDATA\\[\\s*)?)([^\\s<>\\]\\\\\\x1b][^<>\\]\\\\\\x1b]*)(?:\\\\[nrt]\\s*)*(?:<|\\]\\]>)',
);
const CONTENT_CHARS_MAX = 1024;

const IDS = ['API-KEY', 'PASSWORD', 'AWS-SECRET-KEY', 'BASIC-AUTH', 'BEARER-TOKEN', 'COOKIE'];

/** How far around a sign its name and what is between it and the value may stand, characters. */
const BEFORE_CHARS_MAX = 160;
const BEHIND_CHARS_MAX = 200;
/** What is searched at once around one sign and those that follow it: less than V8 makes machine code of an expression for. */
const WINDOW_CHARS = 900;

type Place = (text: string, match: RegExpExecArray) => NamedSpan | undefined;

interface Shape {
  /** A character without case that every match holds, or nothing. */
  readonly sign: string;
  readonly pattern: Pattern;
  readonly place: Place;
}

const shape = (sign: string, source: string, place: Place): Shape => ({
  sign,
  pattern: expression(source, 'gi'),
  place,
});

/** Stretches of the text around the signs at `places`, and where each begins: signs are common, and stand close together. */
function* around(text: string, places: Iterable<number>) {
  let searched = 0;
  for (const at of places) {
    if (at + BEHIND_CHARS_MAX < searched || !isNamed(text, at)) continue;
    const start = Math.max(0, at - BEFORE_CHARS_MAX);
    searched = start + WINDOW_CHARS;
    yield { start, near: text.slice(start, searched) };
  }
}

/** A rule that looks around its signs only. */
function named(kind: number, shapes: readonly Shape[]): RedactionRule {
  return {
    id: 'SECRET',
    get ids() {
      return [...IDS, ...labelledIds()];
    },
    kind,
    find: function* (text, places) {
      const windows = [...around(text, places.at(kind))];
      for (const { sign, pattern, place } of shapes) {
        let from = 0;
        for (const { start, near } of windows) {
          if (!near.includes(sign)) continue;
          for (const match of matchesOf(pattern, near)) {
            match.index += start;
            const span = match.index < from ? undefined : place(text, match);
            if (span === undefined || span.end <= span.start) continue;
            from = span.end;
            yield span;
          }
        }
      }
    },
  };
}

const QUOTED = `(?:${QUOTE})`;
const IS = '[ \\t]{0,4}[:=][ \\t]{0,4}';

/** Unquoted ones are prose where they are short (`Private Key: secp256k1`). */
const SPACED_CHARS_MIN = 12;

/** The value of a name with a space in it. */
function underSpaced(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const value = valueAt(text, match.index + match[0].length, '');
  if (value === undefined || !(value.quoted || value.text.length >= SPACED_CHARS_MIN))
    return undefined;
  const name = (match[1] ?? '').replaceAll(' ', '_');
  const id = secretUnder(name, value.text) ?? secretUnder('secret_key', value.text);
  return id === undefined ? undefined : { start: value.start, end: value.end(), id };
}

/** Behind a name of prose or Markdown: its number, bold, what a program asks with. */
const SPACED_IS =
  '(?:[ ]\\d{1,2})?[*`]{0,3}(?:[ ]\\[[^\\]\\n]{0,40}\\])?[ \\t]{0,4}[:=][*]{0,2}[ \\t]{0,8}';

/** `"slotSetting": false, `: a field that stands between a name and its value. */
const FIELD = `${QUOTED}\\w{1,30}${QUOTED}${IS}(?:true|false|null|\\d{1,9}|${QUOTED}[\\w.-]{0,30}${QUOTED})(?:,|${SP}){1,30}`;

/** Up to a key that a sentence tells: letters and digits, mixed as by a machine. */
const TOLD = `[ ](?:now[ ])?(?:${QUOTED}|[*(]{1,2})?(?=[\\w+/-]{16})`;
/** The ids of keys that are public, as `gpg` and `apt` print them, and what those are called. */
const GPG_ID = /^(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})$/;
const GPG_KEY = /(?:signing|master|the|my|our) key/i;

function told(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const key = tokenAt(text, match.index + match[0].length);
  const isPublic = key && GPG_KEY.test(match[0]) && GPG_ID.test(text.slice(key.start, key.end));
  return key && !isPublic ? { ...key, id: 'API-KEY' } : undefined;
}

const VALUES_OF_NAMES = [
  // API Key: …, AWS Secret Access Key [None]: …, Unseal Key 1: …, **API Key**: `…`
  shape(
    '',
    `(?<![A-Za-z])((?:[\\w.]{1,30}[ ])?(?:secret[ ])?(?:pre)?(?:${SPACED_WORDS.join('|')})[ ]key)${SPACED_IS}`,
    underSpaced,
  ),
  // the API key is …, use my api key …
  shape('', `(?<![A-Za-z])(?:${SPACED_WORDS.join('|')})[ ]key(?:[*]{2})?(?:[ ]is:?)?${TOLD}`, told),
  // the key is …, and no UUID: rows and caches have those
  shape('', `(?<![A-Za-z])(?:the|my|our)[ ]key[ ]is:?${TOLD}(?!${UUID}(?![\\w-]))`, told),
  // **Password**: …
  shape('**', `(password|passwd|passphrase|secret|token)[*]{2}${SPACED_IS}`, noWord),
  // <password>…</password>, <ns:ApiKey type="…">…; <property name="db.password">…, <entry key="…">…
  shape('<', `<(?:[\\w-]{1,40}:)?${NAME}(?:\\s[^<>]{0,120})?>`, inElement),
  shape('<', `<\\w{1,40}\\s(?:name|key)=\\\\{0,7}["']${NAME}\\\\{0,7}["']>`, inElement),
  // <name>fs.s3a.secret.key</name> <value>…</value>, <key>apiKey</key> <string>…</string>
  shape('<', `<(?:name|key)>${NAME}</(?:name|key)>${SP}{0,60}<(?:value|string)>`, inElement),
  // {"name":"DB_PASSWORD","value":"…"}, with fields between as Azure and CloudFormation have them, <add key="ApiSecret" value="…"/>
  shape(
    '',
    `(?:(?:name|key|label)${QUOTED}?${IS}${QUOTED}${NAME}|type${QUOTED}?${IS}${QUOTED}password)${QUOTED}(?:,|${SP}){1,60}(?:${FIELD}){0,3}${QUOTED}?(?:parameter|\\w{1,16}:)?value${QUOTED}?${IS}`,
    quotedOnly,
  ),
  // - name: DB_PASSWORD, and in the next line value: …
  shape(
    ':',
    `(?:name|key):[ \\t]{1,8}${QUOTED}?${NAME}${QUOTED}?[ \\t]{0,4}(?:\\r?\\n|\\\\{1,7}n)[+-]?[ \\t]{0,60}value:[ \\t]{1,8}`,
    behind(),
  ),
  // docs.gitlab.com, variables of a pipeline: SONAR_TOKEN: and in the next line value: …
  shape(
    ':',
    `${NAME}:[ \\t]{0,4}(?:\\r?\\n|\\\\{1,7}n)[+-]?[ \\t]{1,60}value:[ \\t]{1,8}`,
    behind(({ text }) => text[0] !== '#'),
  ),
  // Dockerfile ENV, Windows setx, csh setenv, fish set -x, Apache SetEnv, nginx, a C macro
  shape(
    '',
    `(?<=^|[^\\w-]|\\\\[nrt])(?:env|setenv|setx(?:[ \\t]{1,4}/m)?|set(?:[ \\t]{1,4}-{1,2}[a-z]{1,10}){1,4}|proxy_set_header|#[ \\t]{0,8}define)[ \\t]{1,20}${NAME}[ \\t]{1,60}`,
    behind(),
  ),
  // define('DB_PASSWORD', '…'), os.Setenv("API_TOKEN", "…"), headers.set('X-Api-Key', '…'), localStorage.setItem('token', '…')
  shape(
    '(',
    `(?:set|env|header|property|define|variable|setitem)\\(\\s{0,8}${QUOTED}${NAME}${QUOTED}\\s{0,8},\\s{0,20}`,
    quotedOnly,
  ),
  // api.wordpress.org, secret-key: define('LOGGED_IN_KEY', '…'), define('NONCE_SALT', '…')
  shape(
    '(',
    `define\\(\\s{0,8}${QUOTED}(?:secure_)?(?:auth|logged_in|nonce)_(?:key|salt)${QUOTED}\\s{0,8},\\s{0,20}`,
    ofSigns,
  ),
  // Labels in HTML's quotation marks: the scanner does not see that something is assigned to them.
  shape('&', `${LABEL}(?=&(?:quot|apos|#x2[27]|#3[49]);)`, (text, match) => {
    const end = match.index + match[0].length;
    const value = assignedValue(text, end);
    if (value === undefined) return undefined;
    const name = /[\w.-]*$/.exec(text.slice(Math.max(0, end - NAME_CHARS_MAX), end))?.[0] ?? '';
    const id = secretUnder(name, value.text);
    return id === undefined ? undefined : { start: value.start, end: value.end(), id };
  }),
];

const ARGUMENT = `(?:"[^"\\n]{1,64}"|'[^'\\n]{1,64}'),[ ]?`;
const STATEMENTS = [
  // SQL: CREATE USER, ALTER ROLE, SET PASSWORD; setPassword("…")
  shape(
    '',
    `(?<=^|[^\\w-]|\\\\[nrt])identified[ \\t]{1,4}(?:with[ \\t]{1,4}\\S{1,64}[ \\t]{1,4})?(?:by|as)[ \\t]{1,4}(?:password[ \\t]{1,4})?(?!\`)`,
    noWord,
  ),
  shape(
    '',
    `(?:with|encrypted|login|superuser|createdb|(?:role|user)[ \\t]{1,4}\\S{1,64}|',)[ \\t]{1,4}password[ \\t]{1,4}(?=')`,
    quotedOnly,
  ),
  shape('', `(?:=[ \\t]{0,4}|set|with)password\\((?=${QUOTED})`, quotedOnly),
  // mongodb.com: changeUserPassword("me", "…"); of what keeps passwords the second is the user's name: keyring.set_password("x", "me", "…")
  shape(
    '',
    `(?<!(?:get|find|delete)_?)password\\(${ARGUMENT}(?:(?<=set_?password\\(${ARGUMENT})${ARGUMENT})?(?=${QUOTED})`,
    quotedOnly,
  ),
  shape('', `ConvertTo-SecureString[ \\t]{1,4}(?:-String[ \\t]{1,4})?(?=${QUOTED})`, quotedOnly),
];

export const NAMED_RULES: readonly RedactionRule[] = [
  named(KIND.named, VALUES_OF_NAMES),
  named(KIND.statement, STATEMENTS),
];

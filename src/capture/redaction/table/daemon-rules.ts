import * as KIND from '../kinds.ts';
import { fileValue } from '../line-value.ts';
import { isPassPhrase } from '../pass-phrase.ts';
import type { NamedSpan, RedactionRule, Span } from '../rule.ts';
import { isMachineSecret, isPassword } from '../values.ts';
import { NO_OPTION, of, ownValue, QUOTE, VALUE } from './command-line.ts';
import { keysInBlock } from './key-blocks.ts';
import { secretUnder } from './secret-under.ts';
import { signedRule } from './signed-rule.ts';

/** Secrets in the files of daemons and in what talks to them, which have words of their own before them. */

/** How a value begins; `fileValue` says where it ends. */
const FILE_VALUE = '[^\\s`\\\\]';

/** Or that of a text in marks: `echo "rocommunity …" >> snmpd.conf` */
const LINE_START = '(?<=^|["\'`\\n]|\\\\n)[+-]?[ \\t]{0,40}';

/** Manuals, prose, variables and durations stand in that place as well: `user:pass123`, `%[env(USER)]`, `admin:3600s`. */
const NOT_CHOSEN =
  /^[%$<{[]|^pass(?:word)?\d{0,4}$|^\w{0,4}passphrase\d{0,2}$|^\d{1,4}[a-z]{1,5}$/i;
const isChosen = (value: string): boolean =>
  (isPassword(value, 'quoted') || isPassPhrase('', value)) && !NOT_CHOSEN.test(value);

const chosen =
  (valueBy: typeof ownValue) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const span = valueBy(text, match);
    return span && isChosen(text.slice(span.start, span.end)) ? span : undefined;
  };
const password = chosen(fileValue);

/** What many take, where the user is no word of the manuals: `admin:password123`. */
const COMMON = /^pass(?:word)?\d{2,4}$/i;
const ofUser = (text: string, match: RegExpExecArray): Span | undefined => {
  const span = fileValue(text, match);
  return !/user|name/i.test(match[2]!) && COMMON.test(text.slice(span.start, span.end))
    ? span
    : password(text, match);
};

/** An address, a version, a name with a number, or what SNMP's manuals have in the place of a community. */
const NO_COMMUNITY =
  /^[\d./]+$|^v\d\w?\b|community|string|name|^\w*public$|^private$|^[a-z]{2,8}-?\d$|^[A-Z_-]+\d?$/;
const communityOf =
  (valueBy: typeof ownValue) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const span = chosen(valueBy)(text, match);
    return span && !NO_COMMUNITY.test(text.slice(span.start, span.end)) ? span : undefined;
  };
const community = communityOf(fileValue);

/** `user:password`, or base64 of it: of the former the user stays. */
function ident(text: string, match: RegExpExecArray): Span | undefined {
  const span = fileValue(text, match);
  const value = text.slice(span.start, span.end);
  const colon = value.indexOf(':');
  if (colon < 0) {
    const plain = Buffer.from(value, 'base64').toString('latin1');
    return /^[\x21-\x7e]{1,256}:[\x20-\x7e]+$/.test(plain) ? span : undefined;
  }
  const start = span.start + colon + 1;
  return isChosen(value.slice(colon + 1)) ? { start, end: span.end } : undefined;
}

/** What Consul keeps under a telling name. */
function underPath(text: string, match: RegExpExecArray): NamedSpan | undefined {
  const span = ownValue(text, match);
  const id = span && secretUnder(match[2] ?? '', text.slice(span.start, span.end));
  return id === undefined ? undefined : { ...span!, id };
}

const AS_LONG_AS_NO_WORD = /^[^\s\\]{16,}/;

/** What a cache's key begins with, of a job of CI that is called so. */
const OF_CACHE = /^(?:v\d|node|p?npm|yarn|pip|gems|go|cargo|gradle|maven|deps|cache|build)[_-]/i;
/** No id, no key that is public, and no name of a place in a cache. */
const isKey = (value: string): boolean =>
  isMachineSecret(value, 'bare') &&
  !OF_CACHE.test(value) &&
  !/^(?!base64:).*[:%]|^MIIBI|^[\da-f]{8}-[\da-f]{4}-/i.test(value);

/** What `key:` has in a block of YAML that is called `encrypt` or `jwt`. */
function* keysInBlocks(text: string, places: readonly number[]): Generator<NamedSpan> {
  let from = 0;
  for (const at of places) {
    for (const { start, end } of keysInBlock(text, at)) {
      // Of several lines the first.
      const judged = AS_LONG_AS_NO_WORD.exec(text.slice(start, end))?.[0];
      // A block within another has it, too.
      if (start < from || !judged || !isKey(judged)) continue;
      from = end;
      yield { start, end };
    }
  }
}

const SNMP = /\bsnmp(?:bulk)?(?:walk|get|getnext|set|table|trap|inform|status|df|test)\b/;
/** Of net-snmp's users: the digest, and what stands between it and the cipher. */
const DIGEST = '(?:SHA|MD5|sha|md5)(?:-?\\d{3})?';
const CIPHER = '(?:AES|DES|aes|des|3des)(?:[ -]?\\d{3}C?)?';
const ANY_VALUE = `(?:\\\\{0,3}"[^"\\n]{1,128}"|[^\\s"]{1,128})`;
const SNMP_USER = 'createUser (?:-e [^\\s]{1,64} )?["\\\\]{0,4}[\\w.-]{1,64}["\\\\]{0,4} ';
const CISCO_USER = 'snmp-server user [^\\s]{1,64} [^\\s]{1,64} v3 (?:encrypted )?auth ';

export const DAEMON_RULES: readonly RedactionRule[] = [
  // docs.haproxy.org: stats auth user:password
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['ats auth '],
    `(${LINE_START}stats auth ${QUOTE}([^\\s:"'\\\\]{1,64}):)${FILE_VALUE}`,
    'g',
    ofUser,
  ),
  // yarnpkg.com: npmAuthIdent
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['AuthIdent'],
    `(npmAuthIdent${QUOTE}[ \\t]{0,4}[ :=][ \\t]{0,8}${QUOTE})${FILE_VALUE}`,
    'g',
    ident,
  ),
  // developer.hashicorp.com: consul kv put path/to/name value
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['kv put '],
    `(consul kv put (?:-[^\\s]{1,64} ){0,6}${QUOTE}([\\w./:-]{1,256})["']? (?!@)${QUOTE})${NO_OPTION}${VALUE}`,
    'g',
    underPath,
  ),
  // net-snmp.org, cisco.com: communities
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['mmunity '],
    `((?:${LINE_START}r[ow]|snmp-server )community[ \\t]{1,20}${QUOTE})${FILE_VALUE}`,
    'g',
    community,
  ),
  // net-snmp.org: users, whose pass phrases are made keys of; and what they are given to its programs as
  ...[
    [KIND.setting, 'createUser ', `${SNMP_USER}${DIGEST} `] as const,
    [KIND.setting, 'createUser ', `${SNMP_USER}${DIGEST} ${ANY_VALUE} ${CIPHER} `] as const,
    [KIND.command, 'snmp', `${CISCO_USER}${DIGEST} `] as const,
    [KIND.command, 'snmp', `${CISCO_USER}${DIGEST} ${ANY_VALUE} priv ${CIPHER} `] as const,
  ].map(([kind, word, lead]) =>
    signedRule(
      'PASSWORD',
      kind,
      [word],
      `(${lead}${QUOTE})${NO_OPTION}${FILE_VALUE}`,
      'g',
      password,
    ),
  ),
  ...[['-[AX]', chosen(ownValue)] as const, ['-c', communityOf(ownValue)] as const].map(
    ([option, isOne]) =>
      signedRule(
        'COMMAND-PASSWORD',
        KIND.command,
        ['snmp'],
        `(\\s${option} ?${QUOTE})${NO_OPTION}${VALUE}`,
        'g',
        (text, match) => of(SNMP)(text, match) && isOne(text, match),
      ),
  ),
  // docs.spring.io, Config Server, and others: `encrypt:`, and in one of the next lines `key: …`
  {
    id: 'API-KEY',
    kind: KIND.setting,
    find: (text, places) => keysInBlocks(text, places.at(KIND.setting)),
  },
];

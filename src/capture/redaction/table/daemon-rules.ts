import { valueAt } from '../assigned-value.ts';
import * as KIND from '../kinds.ts';
import type { NamedSpan, RedactionRule, Span } from '../rule.ts';
import { isMachineSecret, isPassword } from '../values.ts';
import { NO_OPTION, of, ownValue, QUOTE, VALUE } from './command-line.ts';
import { keyInBlock } from './key-blocks.ts';
import { secretUnder } from './secret-under.ts';
import { signedRule } from './signed-rule.ts';

/** Secrets in the files of daemons and in what talks to them, which have words of their own before them. */

/** Or that of a text in marks: `echo "rocommunity …" >> snmpd.conf` */
const LINE_START = '(?<=^|["\'`\\n]|\\\\n)[+-]?[ \\t]{0,40}';

/** What a file has behind the lead: all up to the mark that closes the one in the lead, or up to white space. No shell reads it. */
function fileValue(text: string, match: RegExpExecArray): Span {
  const lead = match[1] ?? '';
  const start = match.index + lead.length;
  const mark = /["']$/.exec(lead)?.[0];
  const line = text.slice(start, start + VALUE_CHARS_MAX);
  const chars = mark === undefined ? line.search(/[\s"'`\\]|$/) : line.search(/["'\r\n\\]|$/);
  return { start, end: start + chars };
}
const VALUE_CHARS_MAX = 256;

/** Manuals, prose, variables and durations stand in that place as well: `user:pass123`, `%[env(USER)]`, `admin:3600s`. */
const NOT_CHOSEN =
  /^[%$<{[]|^pass(?:word)?\d{0,4}$|^\w{0,4}passphrase\d{0,2}$|^\d{1,4}[a-z]{1,5}$/i;
const isChosen = (value: string): boolean => isPassword(value, 'quoted') && !NOT_CHOSEN.test(value);

const chosen =
  (valueBy: typeof ownValue) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const span = valueBy(text, match);
    return span && isChosen(text.slice(span.start, span.end)) ? span : undefined;
  };
const password = chosen(fileValue);

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

/** As long as no word is. */
const KEY_CHARS_MIN = 16;

/** No id, no key that is public, and no name of a place in a cache. */
const isKey = (value: string): boolean =>
  isMachineSecret(value, 'bare') &&
  !/^(?!base64:).*[:%]|^MIIBI|^[\da-f]{8}-[\da-f]{4}-/i.test(value);

/** What `key:` has in a block of YAML that is called `encrypt` or `jwt`. */
function* keysInBlocks(text: string, places: readonly number[]): Generator<NamedSpan> {
  for (const at of places) {
    const start = keyInBlock(text, at);
    const value = start === undefined ? undefined : valueAt(text, start, ': ');
    if (value && value.text.length >= KEY_CHARS_MIN && isKey(value.text))
      yield { start: value.start, end: value.end() };
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
    `(${LINE_START}stats auth ${QUOTE}[^\\s:"'\\\\]{1,64}:)${VALUE}`,
    'g',
    password,
  ),
  // yarnpkg.com: npmAuthIdent
  signedRule(
    'PASSWORD',
    KIND.setting,
    ['AuthIdent'],
    `(npmAuthIdent${QUOTE}[ \\t]{0,4}[ :=][ \\t]{0,8}${QUOTE})${VALUE}`,
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
    `((?:${LINE_START}r[ow]|snmp-server )community[ \\t]{1,20}${QUOTE})${VALUE}`,
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
    signedRule('PASSWORD', kind, [word], `(${lead}${QUOTE})${NO_OPTION}${VALUE}`, 'g', password),
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

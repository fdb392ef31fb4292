import { isChosenSecret } from './chosen-secret.ts';
import { expression } from './expression.ts';
import {
  ACCOUNT_KEY,
  AWS_KEY,
  endsName,
  isAccountsKey,
  isAwsKey,
  isOtherBase,
  isOwnersKey,
  isUpperKey,
  OTHER_BASE,
  OWNERS_KEY,
  UPPER_KEY,
} from './key-labels.ts';
import * as KIND from './kinds.ts';
import { labelled } from './label-rule.ts';
import { isMnemonic } from './pass-phrase.ts';
import type { RedactionRule } from './rule.ts';
import { isMixedSessionId, isSessionId, mayBeSession } from './session-id.ts';
import {
  isAccessToken,
  isAccountKey,
  isLongKey,
  isMachineSecret,
  isMixedKey,
  isPassValue,
  isPassword,
  isShortPassValue,
  isTemplate,
  isToldPassword,
} from './values.ts';
import { isAlphanumeric, isLetter } from './word-char.ts';
import { isRandom } from './words.ts';

/** The AWS secret access key: 40 of base64, known only by its label. */
const AWS_SECRET = /^(?:[A-Za-z0-9/+]|\\\/|%2[BbFf]){40}$/;

/** Not the end of another word, but behind an escape. */
const ALONE = '(?:(?<![a-z])|(?<=\\\\[nrt]))';

/** Whose password it is, where nothing stands between the words: `DBPASS`, `PGPASS`, `ADMINPW`; `bypass` is none. */
const OWNERS =
  'db|pg|sql|my|root|user|admin|smtp|mail|ftp|ldap|redis|mongo|postgres|auth|login|proxy|key|store|require|ssh|alias';
/** The same with `_` between them, where what follows may be any password. */
const CALLERS = 'become|ssh|sudo|smtp|db';
/** The same, where a pass of a renderer is called so, too. */
const OTHER_CALLERS = 'default|user|admin|root|mail|mq|sql|ldap';

/** Of a form that is sent: directly behind the user's, or before it. */
const USER_FIELD = '(?:user|login|e?mail|name|uid)\\w{0,12}=[^\\s&"\']{0,64}';
const BEHIND_USER = `${USER_FIELD}&`;
const BEFORE_USER = `=[^\\s&"'=]{4,128}&${USER_FIELD}`;
const ENDS_WITH_USER = expression(`${BEHIND_USER}$`, 'i');
const BEGINS_FORM = expression(`^pass${BEFORE_USER}`, 'i');
const FORM_CHARS_MAX = 256;
const isFormField = (text: string, at: number): boolean =>
  text[at + 'pass'.length] === '=' &&
  ((text[at - 1] === '&' && ENDS_WITH_USER.test(text.slice(Math.max(0, at - 100), at))) ||
    BEGINS_FORM.test(text.slice(at, at + FORM_CHARS_MAX)));

/*
 * The same in plain code: base64 holds `pw=` every now and then, and an expression with all those words takes V8 a quarter of a
 * millisecond.
 */
const isAlone = (text: string, at: number): boolean =>
  !isLetter(text.charCodeAt(at - 1)) ||
  (text[at - 2] === '\\' && 'nrtNRT'.includes(text[at - 1] ?? ' '));
const endsWith = (text: string, at: number, word: string): boolean =>
  [...word].every((char, index) => {
    const code = text.charCodeAt(at - word.length + index);
    return code === char.charCodeAt(0) || (char !== '_' && (code | 0x20) === char.charCodeAt(0));
  });
const owners = OWNERS.split('|');
const callers = CALLERS.split('|').map((word) => `${word}_`);
const otherCallers = OTHER_CALLERS.split('|').map((word) => `${word}_`);
const isOwned = (text: string, at: number): boolean =>
  isLetter(text.charCodeAt(at - 1)) && owners.some((word) => endsWith(text, at, word));
const isCalled = (text: string, at: number): boolean =>
  text[at - 1] === '_' && callers.some((word) => endsWith(text, at, word));
const isCalledElse = (text: string, at: number): boolean =>
  text[at - 1] === '_' && otherCallers.some((word) => endsWith(text, at, word));

/** How far a test's name is read. */
const OUTCOME_CHARS_MAX = 200;
/** A test's name that has passed, as Automake and DejaGnu print it: a path, a file, or the first of some words. */
const TEST_NAME = /^PASS: (?:[^\s/]*\/|\S*:(?:\s|$)|\S+\.[a-z]{1,6}(?:\s|$)|\S+ [^\s#])/;
const isOutcome = (text: string, at: number): boolean =>
  text.startsWith('PASS: ', at) &&
  TEST_NAME.test(text.slice(at, at + OUTCOME_CHARS_MAX)) &&
  !isPasswordLike(text.slice(at + 'PASS: '.length, at + OUTCOME_CHARS_MAX).split(/\s/, 1)[0]!);

/** Letters of both cases, digits and a sign, as passwords have to have; of some signs names of tests are made, too (`FooTest#bar2`). */
const isPasswordLike = (word: string): boolean =>
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[^\s/]{8,64}$/.test(word) &&
  (/[!%^&?]/.test(word) || (/[#$@*]/.test(word) && isRandom(word)));

/** What PHP, Java, ASP.NET and Express call the cookie that knows someone again. */
const SESSION_COOKIES = '(?<=php)sessid|(?<=j|asp\\.net_)sessionid|connect\\.sid';

/** Helm: what names a secret of Kubernetes, `existingSecret: app-postgres-2`. */
const NAME_OF_ONE = /^Secret["']?:[ \t]{0,8}["']?[a-z]+(?:-[a-z\d]+)+["']?[ \t]*(?:$|[\r\n,}#])/;
const isNameOfOne = (text: string, at: number): boolean =>
  text.startsWith('existing', at - 'existing'.length) && NAME_OF_ONE.test(text.slice(at, at + 128));

/** JFrog's and Honeycomb's headers. */
const isHeader = (text: string, at: number): boolean =>
  endsWith(text, at, 'rR'.includes(text[at] ?? ' ') ? 'a' : 'honeycom');
const isCookieName = (text: string, at: number): boolean => {
  const word = text.slice(at, at + 'sessionid'.length).toLowerCase();
  if (word[0] !== 's') return word[0] === 'c' || isLetter(text.charCodeAt(at - 1));
  if (word.startsWith('sessid')) return endsWith(text, at, 'php');
  return word === 'sessionid' && ['j', 'asp.net_'].some((start) => endsWith(text, at, start));
};
/** Whether the name goes on behind `_session`: no cookie's does. */
const isSessionOf = (text: string, at: number): boolean =>
  text[at] === '_' && '_-s'.includes(text[at + '_session'.length] ?? ' ');

const SHORT = `(?:(?<=${OWNERS})|${ALONE})pw`;

/**
 * Assignments to a name that ends in a telling word, in env files, shell, JSON, YAML, code and query strings. The label
 * stays visible. Specific ones first.
 */
export const LABEL_RULES: readonly RedactionRule[] = [
  labelled({
    id: 'AWS-SECRET-KEY',
    kind: KIND.key,
    mayMatch: (text, at) => isAwsKey(text, at) && endsName(text, at),
    label: AWS_KEY,
    words: ['key'],
    isSecret: (value) => AWS_SECRET.test(value) && !isTemplate(value),
  }),
  labelled({
    id: 'API-KEY',
    kind: KIND.key,
    mayMatch: (text, at) => isOwnersKey(text, at) && endsName(text, at),
    label: OWNERS_KEY,
    words: ['key_base', 'key'],
    isSecret: isMachineSecret,
  }),
  labelled({
    id: 'API-KEY',
    kind: KIND.key,
    mayMatch: isOtherBase,
    label: OTHER_BASE,
    words: ['key_base'],
    isSecret: isLongKey,
  }),
  labelled({
    id: 'API-KEY',
    kind: KIND.key,
    mayMatch: (text, at) => isAccountsKey(text, at) && endsName(text, at),
    label: ACCOUNT_KEY,
    words: ['key'],
    isSecret: isAccountKey,
  }),
  // `OPENAI_KEY=`, `MAPS_KEY=`: whose key it is says the name, in upper case as settings are
  labelled({
    id: 'API-KEY',
    kind: KIND.key,
    mayMatch: (text, at) => isUpperKey(text, at) && endsName(text, at),
    label: UPPER_KEY,
    words: ['key'],
    isSecret: isMixedKey,
    isUpper: true,
  }),
  labelled({
    id: 'SECRET',
    kind: KIND.secret,
    label: 'secret[_-]?(?:value|string)|secret|token|credentials?',
    words: ['secret', 'token', 'credentials', 'credential', 'secret_value', 'secret_string'],
    // docs.aws.amazon.com: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-x7Kq2m`; Helm: the name of one, `existingSecret`
    mayMatch: (text, at) =>
      !/:\d{12}:$/.test(text.slice(Math.max(0, at - 14), at)) && !isNameOfOne(text, at),
    isSecret: isMachineSecret,
  }),
  labelled({
    id: 'SECRET',
    kind: KIND.secret,
    label: '(?<=[a-z\\d]_)secret',
    words: ['secret'],
    mayMatch: (text, at) => text[at - 1] === '_' && isAlphanumeric(text.charCodeAt(at - 2)),
    isSecret: isChosenSecret,
    keyLabel: null,
  }),
  // learn.microsoft.com and docs.github.com: personal access tokens; docs.npmjs.com: _auth; jfrog.com, docs.honeycomb.io: headers
  labelled({
    id: 'SECRET',
    kind: KIND.secret,
    // Nor `_path`, which every hook's input has.
    mayMatch: (text, at) =>
      '_-'.includes(text[at] ?? ' ')
        ? isAlphanumeric(text.charCodeAt(at - 1)) && !endsWith(text, at + 5, 'path')
        : isHeader(text, at),
    label: '(?<=[a-z\\d])[_-](?:pat|auth)|(?<=a)rt-api|(?<=honeycom)b-team',
    words: ['_pat', '_auth', 'rt-api', 'b-team'],
    isSecret: isAccessToken,
  }),
  // github.com/bitcoin/bips, BIP-39
  labelled({
    id: 'SECRET',
    kind: KIND.secret,
    label: 'mnemonic|phrase',
    words: ['mnemonic', 'phrase'],
    isSecret: isMnemonic,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.password,
    label: 'password|passwd|passphrase|passcode|(?<!old)pwd',
    words: ['password', 'passwd', 'passphrase', 'passcode', 'pwd'],
    mayMatch: (text, at) => text.slice(Math.max(0, at - 3), at + 2).toLowerCase() !== 'oldpw',
    isSecret: isPassword,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.pass,
    label: `${ALONE}pass`,
    words: ['pass'],
    mayMatch: (text, at) => isAlone(text, at) && !isOutcome(text, at),
    isSecret: isPassValue,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.pass,
    label: `(?<=${OWNERS})pass`,
    words: ['pass'],
    mayMatch: isOwned,
    isSecret: isPassValue,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.pass,
    label: `(?<=(?:${CALLERS})_)pass`,
    words: ['pass'],
    mayMatch: isCalled,
    isSecret: isPassword,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.pass,
    label: `(?<=(?:${OTHER_CALLERS})_)pass`,
    words: ['pass'],
    mayMatch: isCalledElse,
    isSecret: isToldPassword,
  }),
  // A field of a form: `user=me&pass=…`, `pass=…&user=me`
  labelled({
    id: 'PASSWORD',
    kind: KIND.pass,
    label: `(?<=${BEHIND_USER})pass(?==)|pass(?=${BEFORE_USER})`,
    words: ['pass'],
    mayMatch: isFormField,
    isSecret: isPassword,
  }),
  labelled({
    id: 'PASSWORD',
    kind: KIND.short,
    label: SHORT,
    // At a key's end the scanner knows it without a number, and not as `pW`.
    keyLabel: SHORT,
    isKeyOf: (name) => !name.endsWith('pW'),
    words: ['pw'],
    mayMatch: (text, at) => isAlone(text, at) || isOwned(text, at),
    isSecret: isShortPassValue,
  }),
  // wpa_supplicant, NetworkManager, ipsec.secrets
  labelled({
    id: 'PASSWORD',
    kind: KIND.sharedKey,
    label: `${ALONE}(?:psk|wep[_-]key)`,
    isSecret: isPassword,
  }),
  labelled({
    id: 'SESSION-ID',
    kind: KIND.session,
    mayMatch: (text, at) =>
      isCookieName(text, at) && !isSessionOf(text, at) && mayBeSession(text, at),
    label: `${SESSION_COOKIES}|(?<=[a-z])_session`,
    words: ['sessionid', 'sessid', 'connect.sid', '_session'],
    isSecret: isSessionId,
    keyLabel: SESSION_COOKIES,
  }),
  // The ids of an agent's sessions stand under these as keys, of every hook's input: no expression is made for them.
  labelled({
    id: 'SESSION-ID',
    kind: KIND.sessionId,
    mayMatch: mayBeSession,
    label: 'session[_-]?id',
    words: ['session_id'],
    isSecret: isMixedSessionId,
    keyLabel: null,
  }),
];

import { isLabelSuffix, SUFFIX_CHARS_MAX } from './label-suffixes.ts';
import { isAlphanumeric, isWordChar } from './word-char.ts';

/*
 * Which `key` is a secret's label, by what stands before it: as expressions, and the same in plain code, for code is full of keys and a
 * hook's first expression costs it some 0.4 ms.
 */

/** What a key that is a secret is called, or what it is for; `crypt` is also the end of `encrypt`. */
const OWNERS =
  'api|app|application|access|secret|private|auth|encryption|enc|crypt|decryption|signing|sign|account|master|shared|subscription|webhook|license|functions|hmac|cipher|fernet|aes|jwt|admin|deploy|storage|client|server|service|role|ssh|unseal|backup|symmetric|insert|query|gotify|fastly|session|token|signature|security|validation|derivation';
/** Whose key is none of a lock. */
const NO_SECRETS =
  'public|pub|publishable|primary|foreign|partition|sort|row|range|shard|cache|idempotency|object|host|dedupe|group|unique|index|registry|map';
/** learn.microsoft.com: the keys of an account; guides.rubyonrails.org: Active Record Encryption */
const ACCOUNTS =
  'primary|secondary|primarymaster|secondarymaster|primaryreadonlymaster|secondaryreadonlymaster|deterministic';

export const OWNERS_KEY = `(?<=secret[_-]?)key[_-]?base|(?<=(?:${OWNERS})(?:[_.:-]|__)?)key`;
/** Of any name, as Phoenix and Rails have `secret_key_base`. */
export const OTHER_BASE = `(?<=[a-z\\d][_-])(?<!(?:secret|${NO_SECRETS})[_-])key[_-]?base`;
export const AWS_KEY = '(?<=aws[_-]?secret[_-]?(?:access[_-]?)?|secret[_-]?access[_-]?)key';
export const ACCOUNT_KEY = `(?<=(?:${ACCOUNTS})[_-]?)key`;
export const UPPER_KEY = `(?<=[a-z\\d]_)(?<!(?:${NO_SECRETS})_)key`;

const owners = OWNERS.split('|');
const noSecrets = NO_SECRETS.split('|');
const accounts = ACCOUNTS.split('|');
/** The longest word is `secondaryreadonlymaster`. */
const WORD_CHARS_MAX = 23;
const wordsBefore = (text: string, at: number): string =>
  text.slice(Math.max(0, at - WORD_CHARS_MAX), Math.max(0, at)).toLowerCase();
const endsWithOne = (text: string, at: number, words: readonly string[]): boolean => {
  const before = wordsBefore(text, at);
  return words.some((word) => before.endsWith(word));
};
/** Where what stands before `_` or `-` ends. */
const beforeJoint = (text: string, at: number): number =>
  '_-'.includes(text[at - 1] ?? ' ') ? at - 1 : at;

export function isOwnersKey(text: string, at: number): boolean {
  // guides.rubyonrails.org: `secret_key_base`
  if (/^key[_-]?base/i.test(text.slice(at, at + 'key_base'.length)))
    return endsWithOne(text, beforeJoint(text, at), ['secret']);
  if (endsWithOne(text, at, owners)) return true;
  if (!'_.:-'.includes(text[at - 1] ?? ' ')) return false;
  return (
    endsWithOne(text, at - 1, owners) ||
    (text.startsWith('__', at - 2) && endsWithOne(text, at - 2, owners))
  );
}

export const isOtherBase = (text: string, at: number): boolean =>
  '_-'.includes(text[at - 1] ?? ' ') &&
  /^key[_-]?base/i.test(text.slice(at, at + 'key_base'.length)) &&
  isAlphanumeric(text.charCodeAt(at - 2)) &&
  !endsWithOne(text, at - 1, ['secret', ...noSecrets]);

export function isAwsKey(text: string, at: number): boolean {
  const last = beforeJoint(text, at);
  const isAccess = endsWithOne(text, last, ['access']);
  const secret = isAccess ? beforeJoint(text, last - 'access'.length) : last;
  if (!endsWithOne(text, secret, ['secret'])) return false;
  return isAccess || endsWithOne(text, beforeJoint(text, secret - 'secret'.length), ['aws']);
}

export const isAccountsKey = (text: string, at: number): boolean =>
  endsWithOne(text, beforeJoint(text, at), accounts);

export const isUpperKey = (text: string, at: number): boolean =>
  text[at] === 'K' &&
  text[at - 1] === '_' &&
  isAlphanumeric(text.charCodeAt(at - 2)) &&
  !endsWithOne(text, at - 1, noSecrets);

/** git-scm.com: what `user.signingkey` has, the id of a key that is public. */
const GPG_ID = /^key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})(?!\w)/;
const isGpgId = (text: string, at: number): boolean =>
  text.startsWith('signing', at - 'signing'.length) && GPG_ID.test(text.slice(at, at + 80));

/** Whether a name may end with the `key` at `at`: most go on. */
export function endsName(text: string, at: number): boolean {
  if (isGpgId(text, at)) return false;
  const from = at + 'key'.length;
  let end = from;
  while (end - from < SUFFIX_CHARS_MAX && (isWordChar(text.charCodeAt(end)) || text[end] === '-'))
    end += 1;
  const rest = text.slice(from, end);
  return rest === '' || isLabelSuffix(rest) || /^[_-]?(?:\d|base)/i.test(rest);
}

import { isAppPassword, isMixedPhrase, isPhrase } from './pass-phrase.ts';
import { onDemand } from './rule.ts';
import { hasAny, isDigit, isLetter, isSpace } from './word-char.ts';
import { isOfWords, isRandom, isScrambled, isWordy, withoutTerms } from './words.ts';

/**
 * What counts as a value and what only stands where one would: example texts, references to where the secret is kept,
 * code. A label (`password`, `api_key`) says little in source code, so most of the judgement is here.
 */

/**
 * Where the value stood. `quoted`: between quotation marks, or a string of a parsed object. `env`: `NAME=value`, upper
 * case, no spaces, so surely data. `bare`: unquoted otherwise, where code (`token = nextToken`) is likelier than data.
 */
export type ValueForm = 'quoted' | 'env' | 'bare';

/**
 * Whether a text holds one of those without which an expression matches nothing: V8 takes longer to make one than for all else
 * that a hook does with a secret.
 */
const holds = (text: string, signs: readonly string[]): boolean =>
  signs.some((sign) => text.includes(sign));

/** Texts that start like this are a reference to a secret's place, or a template for it. */
const REFERENCES =
  '\u2026 ${ $ENV{ $( %( %{ #{ process. import.meta os. env. env: env[ ENV[ getenv secrets. vault: op:// arn: ref+'.split(
    ' ',
  );
/** `self._authkey`, `this.apiKey` */
const OWN_PROPERTY = /^(?:self|this)(?:\.[A-Za-z_$]+)+$/;
const isReference = (value: string): boolean =>
  REFERENCES.some((start) => value.startsWith(start)) ||
  ((value.startsWith('self.') || value.startsWith('this.')) && OWN_PROPERTY.test(value)) ||
  (value[0] === '%' && /^%[sdv](?!\w)/.test(value));

/** A text in brackets, a variable: it names something where it is made of words, and not where a machine mixed it. */
const NAMES_SOMETHING = /^(?:[<{[]|\$[A-Za-z_]\w*$|%\w+%$|@\w+@$)/;
/** JSON, templates and markup; a class of characters. */
const TEMPLATE_CHARS = /^[\w\s.:|/'"@<>{}[\]()$%,-]*$/;
const STRUCTURE = /^[<{[](?:[\s"'\\{[<%?$]|$)|^[^\]]{0,40}\[\^?[^\]]*\w-\w/;
/** Secrets that were masked or left out already: nothing else, or words and a few characters to know it again. */
const MASKED = /^(.)\1*$|redacted/i;
const MASK = /x{4,}|\.{3,}|\u2026|\*{3,}/i;
const MASK_SIGNS = ['xxxx', '...', '\u2026', '***'];
const UNMASKED_CHARS_MAX = 4;

function isMasked(value: string): boolean {
  const lower = value.toLowerCase();
  const isRepeated = value.length < 2 || value[0]?.toUpperCase() === value[1]?.toUpperCase();
  if ((isRepeated || lower.includes('redacted')) && MASKED.test(value)) return true;
  return (
    holds(lower, MASK_SIGNS) &&
    MASK.test(value) &&
    value.split(MASK).every((part) => part.length <= UNMASKED_CHARS_MAX || isOfWords(part))
  );
}

/** Words of examples, whatever other words stand around them. */
const EXAMPLE_PART =
  /your[-_ ]?|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this|with)|placeholder|(?:^|[-_ ])(?:example|dummy|sample|insert)[-_ ]/i;

const EXAMPLE_WORDS = 'your change replace placeholder example dummy sample insert'.split(' ');

/** Whole values that describe a field, or say that there is none. */
const exampleWords = onDemand(
  () =>
    new Set(
      (
        'string str text char varchar bytes number integer boolean bool object array any unknown void never ' +
        'hidden required optional missing invalid empty none null nil undefined nan true false yes no on off ' +
        'default example dummy sample todo tbd fixme n/a bearer basic enabled disabled masked input prompt auto inherit'
      ).split(' '),
    ),
);
/** The label itself as its value (`password: "password"`), alone or with one of the qualifiers before it. */
const LABEL_WORDS = 'password passwd passphrase pass pwd token key credential'.split(' ');
const LABEL_WORD = onDemand(() => new RegExp(`^_?(.*?)[-_ ]?(?:${LABEL_WORDS.join('|')})s?$`));
const qualifiers = onDemand(
  () =>
    new Set(
      (
        ' a my the new old current confirm user db access auth client api app fake test dummy example ' +
        'sample invalid wrong bad some'
      ).split(' '),
    ),
);

const EXAMPLE_CHARS_MAX = 32;

function isExampleWhole(value: string): boolean {
  if (value.length > EXAMPLE_CHARS_MAX) return false;
  const lower = value.toLowerCase();
  if (exampleWords().has(lower)) return true;
  const isLabel = LABEL_WORDS.some((word) => lower.endsWith(word) || lower.endsWith(`${word}s`));
  return isLabel && qualifiers().has(LABEL_WORD().exec(lower)?.[1] ?? '-');
}

const URL_START = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** Absolute paths are in lower case down to a file name, unlike base64 that happens to begin with a slash. */
const PATH =
  /^(?:~|\.{1,2})?\/(?=[a-z][a-z0-9_.-]*\/)(?:[a-z][\w.-]*\/)+[\w.-]*$|^(?:~|\.{1,2})?\/[a-z][a-z0-9_.-]*$|^\/(?:Users|Applications|Library)\/|^(?:~|\.{1,2})\/|^[A-Za-z]:\\/;

/** Whether the text is a template or a mask, which no secret is in any position. An empty one is too. */
export function isTemplate(value: string): boolean {
  if (value === '' || isReference(value) || isMasked(value)) return true;
  return (
    '<{[$%@'.includes(value[0]!) &&
    NAMES_SOMETHING.test(value) &&
    (STRUCTURE.test(value) || (TEMPLATE_CHARS.test(value) && isOfWords(value)))
  );
}

/** Whether the text only marks where a secret would be. */
export function isPlaceholder(value: string): boolean {
  if (isTemplate(value)) return true;
  const mayBeExample = holds(value.toLowerCase(), EXAMPLE_WORDS);
  return (mayBeExample && EXAMPLE_PART.test(value) && isOfWords(value)) || isExampleWhole(value);
}

/** In package files: `"pbkdf2-password": "^1.2.1"`. */
const VERSION = /^[~^<>=v]{0,3}\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/;

/** laravel.com, validation: `required|string|min:8`. */
const VALIDATION = /^[a-z_]+\|[a-z_]+(?:[:|]|$)/;

/** Addresses, file names and versions, which stand under telling names too. */
function isPlace(value: string): boolean {
  if (value.includes('.') && VERSION.test(value)) return true;
  if (value.includes('|') && VALIDATION.test(value)) return true;
  return holds(value, ['/', '\\']) && (URL_START.test(value) || PATH.test(value));
}

/** Without marks, code: `cfg.Password`, which says itself what it is, and a type of GraphQL that may not be null. */
const NAMES_ITSELF =
  /^[A-Za-z_$]+(?:\??\.[A-Za-z_$]+)*\??\.[A-Za-z_$]*(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key)$/i;
const isFieldOrType = (value: string): boolean =>
  (value.includes('.') && NAMES_ITSELF.test(value)) ||
  (value.endsWith('!') && /^(?:String|Int|Float|Boolean|ID)!$/.test(value));

/** Keys and tokens are made by machines: they are long and have digits between the letters. */
const MACHINE_CHARS_MIN: Record<ValueForm, number> = { quoted: 8, env: 8, bare: 8 };
/** From this length on one lower-case word in an env line is taken for a home-made secret (`JWT_SECRET=…`). */
const HOME_MADE_CHARS_MIN = 12;

/** Whether the value of an API key, secret or token label is one. */
export function isMachineSecret(value: string, form: ValueForm): boolean {
  if (value.length < MACHINE_CHARS_MIN[form] || isPlaceholder(value) || isPlace(value))
    return false;
  if (hasAny(value, isSpace) || (form === 'bare' && isFieldOrType(value))) return false;
  if (isNumbered(value)) return true;
  if (!isWordy(value)) return isRandom(value);
  const apart = withoutTerms(value);
  if (form === 'bare' ? isRandom(apart) : isScrambled(apart)) return true;
  return form === 'env' && value.length >= HOME_MADE_CHARS_MIN && /^[a-z]+\d*$/.test(value);
}

/** As services make the tokens that they call by a word which names have, too: `FILE_PAT="[a-z0-9]+"`. */
const ACCESS_TOKEN = /^[\w.~+/-]{20,}={0,2}\$?$/;
export const isAccessToken = (value: string, form: ValueForm): boolean =>
  ACCESS_TOKEN.test(value) && isMachineSecret(value, form);

/** Base64 of 32 or 64 bytes, or as many letters and digits: `primaryKey` is what a table's row is known by, too. */
const ACCOUNT_KEY = /^(?:[\w+/-]{43}=|[\w+/-]{86}==|[A-Za-z0-9]{32})$/;
export const isAccountKey = (value: string, form: ValueForm): boolean =>
  ACCOUNT_KEY.test(value) && isMachineSecret(value, form);

/** Letters of both cases and digits, or hex as long as a key is; the words of a name, a UUID and an address are none. */
const MIXED_KEY = /^(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,}={0,2}$|^[\da-f]{32,128}$/;
export const isMixedKey = (value: string, form: ValueForm): boolean =>
  MIXED_KEY.test(value) && isMachineSecret(value, form);

/** As long as what cookies are signed with. */
const LONG_KEY = /^[\w+/-]{32,}={0,2}$/;
export const isLongKey = (value: string, form: ValueForm): boolean =>
  LONG_KEY.test(value) && isMachineSecret(value, form);

/** As long as hardly a name is, and of what machines make them. */
const TOLD_TOKEN = /^[\w+/-]{16,512}={0,2}$/;
/** As long as no name is. */
const SURE_CHARS_MIN = 20;
/** Three digits at least, each with a letter somewhere behind it; or letters of both cases and a digit. */
const SCATTERED_DIGITS = /^(?:\D*\d+[A-Za-z_-]){3}/;
const MIXED_BY_MACHINE = /^(?=.*\d)(?=.*[a-z]).*[A-Z]/;
/** A path begins with a folder, a time with its date. */
const NO_TOKEN = /^\/?[a-z][a-z_-]{2,}\/|^\d{4}-?\d\d-?\d\d[T-]/;
/** A token that a sentence tells: `my token is 9f86…`. */
export const isToldToken = (value: string): boolean =>
  TOLD_TOKEN.test(value) &&
  !NO_TOKEN.test(value) &&
  (value.length >= SURE_CHARS_MIN && SCATTERED_DIGITS.test(value)
    ? isMachineSecret(value, 'bare')
    : MIXED_BY_MACHINE.test(value) && isRandom(value) && isMachineSecret(value, 'bare'));

/** Shorter values are flags and counts (`pass=1`). */
const PASSWORD_CHARS_MIN: Record<ValueForm, number> = { quoted: 4, env: 4, bare: 6 };

const NUMBER = /^(?:\d{1,5}|0x[0-9a-f]+)$/i;
/** Names joined by dots or dashes, without a digit: fields, messages and properties. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]*(?:\.[A-Za-z_$-]+)*$/;
/** Code: a negation, a variable, an option, another label. */
const SIGNED = /^[!:?&|=$.-]/;
/** Shorter ones are too few characters to tell it from a password. */
const SIGNED_CHARS_MIN = 8;
/** The end of a label, a path of properties or another password, whatever digits. */
const CODE =
  /:$|\?\.|^[A-Za-z_$]\w*(?:(?:\.|::)[A-Za-z_$]\w*)+$|^[a-z]*pass[a-z]*\d*$|^[a-z]*pwd\d*$/i;

/** `PWD=/home/…`; no one is asked for a password that starts like this. */
const PATH_START =
  /^(?:~|\.{1,2})\/|^\/(?:$|[a-z_.-]{2,}\d{0,3}(?:\/|$)|[A-Z][a-z]+\/)|^[A-Za-z]:[\\/]/;

// An expression is made for few values.
const isNumber = (value: string): boolean =>
  (value.length <= 5 || value.startsWith('0')) && NUMBER.test(value);
const beginsPath = (value: string): boolean =>
  ('~./'.includes(value[0] ?? ' ') || value[1] === ':') && PATH_START.test(value);

const isCode = (value: string): boolean =>
  CODE.test(value) || (SIGNED.test(value) && (value.length < SIGNED_CHARS_MIN || isOfWords(value)));

/** Words as people are told to put them together; a field or a message seldom has so many. */
const PASSPHRASE = /^[A-Za-z]{3,}(?:-[A-Za-z]{3,}){3,}$/;

/** Whether letters alone are a password, and no name of code. */
const isChosen = (value: string): boolean => isRandom(value) || PASSPHRASE.test(value);

/** Letters alone, of which some are beyond ASCII. */
const isForeignWord = (value: string): boolean =>
  hasAny(value, (code) => code > 0x7f) && /^[\p{L}\p{M}]+$/u.test(value);

/** Whether the value of a password label is one. Passwords are made by people: `hunter2` is one. */
export function isPassword(value: string, form: ValueForm): boolean {
  if (value.length < PASSWORD_CHARS_MIN[form] || isPlaceholder(value) || isPlace(value))
    return false;
  // With white space it is a message about a password far more often than a pass phrase.
  if (hasAny(value, isSpace)) return isPhrase(value) || (form === 'quoted' && isMixedPhrase(value));
  if (isNumber(value) || beginsPath(value)) return false;
  if (form === 'bare' && isFieldOrType(value)) return false;
  if (form === 'bare')
    return NAME.test(value) ? isChosen(value) : !isCode(value) || isRandom(value);
  // What it is called in another language, as files of translations have it.
  if (isForeignWord(value)) return false;
  // Only letters: `letmein` against names of fields and messages (`user.password`, `newPwd`, `Passwort`).
  return !NAME.test(value) || !(/pass|pwd|[.$]/i.test(value) || /^[A-Z][a-z]+$/.test(value));
}

/** How passwords are kept, and how long: `is base64-encoded`, `is 12 characters`. */
const NO_PASSWORD =
  /^(?:\d[\d.,:/_-]*[a-z-]*$|base\d|sha|md\d|utf|ascii|bcrypt|argon|pbkdf|scrypt|aes|rot\d|rfc|ripemd|blake|pkcs|x\d{3})/i;

/** The same where a sentence tells it: without a digit it is a word. */
export const isToldPassword = (value: string): boolean =>
  value.length >= PASSWORD_CHARS_MIN.bare &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  !NO_PASSWORD.test(value) &&
  isPassword(value, 'bare');

/** The same under `pass`, which is also a test's outcome and a graphics pass: only what nothing else looks like. */
export function isPassValue(value: string, form: ValueForm): boolean {
  if (!isPassword(value, form)) return false;
  if (form === 'env') return true;
  // `pass: "stage 2 is through"`
  if (hasAny(value, isSpace)) return isAppPassword(value);
  if (form === 'quoted') return /\d/.test(value) || isChosen(value);
  if (value.length < MACHINE_CHARS_MIN.bare) return false;
  const isOneWord = value.length < HOME_MADE_CHARS_MIN && /^[a-z]+$/.test(value);
  return isNumbered(value) || (isRandom(value) && !isOneWord);
}

/** Letters with digits between them, as in no name. */
const isNumbered = (value: string): boolean =>
  hasAny(value, isDigit) && hasAny(value, isLetter) && !isWordy(value);

const hasBothCases = (value: string): boolean => /[a-z]/.test(value) && /[A-Z]/.test(value);

/** The same where a sentence tells it: of both cases and a sign, or mixed, as no format's name is (`the pass is BGRA8Unorm`). */
export const isToldPassValue = (value: string): boolean =>
  isToldPassword(value) &&
  hasBothCases(value) &&
  (/[!#$%&*?@^+]/.test(value) || isRandom(value)) &&
  isPassValue(value, 'bare');

/** The same under `pw`, which is a width as well: without marks a value with a digit has letters and a length. */
export const isShortPassValue = (value: string, form: ValueForm): boolean =>
  isPassValue(value, form) ||
  (form === 'bare' &&
    value.length >= MACHINE_CHARS_MIN.bare &&
    /\d/.test(value) &&
    /[a-z]{2}/i.test(value) &&
    isPassword(value, form));

/** The same where a sentence tells it: no width. */
export const isToldShortPass = (value: string): boolean =>
  isToldPassword(value) &&
  isShortPassValue(value, 'bare') &&
  !/width|px$/i.test(value) &&
  (hasBothCases(value) || !/^\d/.test(value));

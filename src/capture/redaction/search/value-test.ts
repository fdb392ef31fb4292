import { beginning, ending, isOfWords, isRandom, isScrambled, isWordy, wordsOf } from './words.ts';

/**
 * The value test, which all rules for labels share: what is a secret, and what only stands where one would. A label says
 * little in source code: most of its values are references, types, examples and messages.
 */

/** Between quotation marks, `NAME=value` in upper case, or neither: there code (`token = nextToken`) is likelier than data. */
export type ValueForm = 'quoted' | 'env' | 'bare';

/** Tells where a secret is kept, or stands for it in a template. */
const REFERENCES = wordsOf(
  '${ $ENV{ $( $[ %( %{ #{ process. import.meta os. env. env: env[ ENV[ getenv secrets. vault: op:// arn: ref+ \u2026 self. this. github. var. local. data. file: fd:',
);
const FORMAT = /^%[sdv](?!\w)/;
/** A text in brackets, a variable. */
const NAMES_SOMETHING = /^(?:[<{[(]|\$[A-Za-z_]\w*$|\$\d$|%\w+%$|@\w+@$)/;
const TEMPLATE_CHARS = /^[\w\s.:|/'"@<>{}[\]()$%,*-]*$/;
const STRUCTURE = /^[<{[](?:[\s"'\\{[<%?$]|$)|^[^\]]{0,40}\[\^?[^\]]*\w-\w/;
/** Masked or left out already: nothing else, or words and a few characters to know it again. */
const MASKED = /^(.)\1*$|redacted/i;
const MASK = /x{4,}|\.{3,}|\u2026|\*{3,}/i;
const UNMASKED_CHARS_MAX = 4;
const EXAMPLE_PARTS =
  'your changeme changeit changethis replaceme replacethis replacewith placeholder'.split(' ');
const EXAMPLE_WORDS = wordsOf('example dummy sample insert fake mock test');
/** Whole values that describe a field, or say that there is none. */
const EXAMPLES = wordsOf(
  'str string text char varchar bytes number int integer bool boolean object array any unknown void never hidden required optional missing invalid empty none null nil undefined nan true false yes no on off default example dummy sample todo tbd fixme n/a bearer basic enabled disabled masked input prompt auto inherit',
);
/** A label as its own value, and what stands before it. */
const LABELS = wordsOf('password passwd passphrase pass pwd token key secret credential');
const OWNERS = wordsOf(
  ' a my the new old current confirm user db access auth client api app fake test dummy example sample invalid wrong bad some',
);

function isExample(value: string): boolean {
  const lower = value.toLowerCase();
  if (EXAMPLES.has(lower)) return true;
  const singular = lower.replace(/(?<=[^s])s$/, '');
  const length = ending(singular, LABELS);
  return length > 0 && OWNERS.has(singular.slice(0, -length).replace(/[-_ ]{1,2}$/, ''));
}

function hasExamplePart(value: string): boolean {
  const lower = value.toLowerCase();
  const parts = lower.split(/[-_ ]/);
  const joined = parts.join('');
  return (
    EXAMPLE_PARTS.some((part) => joined.includes(part)) ||
    parts.some((part) => EXAMPLE_WORDS.has(part)) ||
    /example(?:key)?$/.test(lower)
  );
}

const URL_START = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
const PATH =
  /^(?:~|\.{1,2})?\/(?=[a-z][\w.-]*\/)(?:[a-z][\w.-]*\/)+[\w.*-]*$|^(?:~|\.{1,2})?\/[a-z][a-z0-9_.-]*$|^\/(?:Users|Applications|Library)\/|^(?:~|\.{1,2})\/|^[A-Za-z]:\\|^[\w-]+(?:\/[\w.-]+)+\.[a-z]{1,5}$/;
const VERSION = /^[~^<>=v]{0,3}\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/;
const VALIDATION = /^[a-z_]+\|[a-z_]+(?:[:|]|$)/;
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const TIME = /^\d{4}-?\d\d-?\d\d(?:[T ]|$)/;

/** Longer values are judged by their beginning. */
const JUDGED_CHARS_MAX = 512;
const judged = (value: string): string => value.slice(0, JUDGED_CHARS_MAX);

/** Whether the text only marks where a secret would be. */
export function isPlaceholder(text: string): boolean {
  const value = judged(text);
  if (value === '' || MASKED.test(value) || FORMAT.test(value) || isExample(value)) return true;
  if (beginning(value, REFERENCES) > 0) return true;
  if (
    MASK.test(value) &&
    value.split(MASK).every((part) => part.length <= UNMASKED_CHARS_MAX || isOfWords(part))
  )
    return true;
  if (
    NAMES_SOMETHING.test(value) &&
    (STRUCTURE.test(value) || (TEMPLATE_CHARS.test(value) && isOfWords(value)))
  )
    return true;
  return hasExamplePart(value) && isOfWords(value);
}

/** Addresses, names of files, versions and times stand under telling names, too. */
const isPlace = (value: string): boolean =>
  VERSION.test(value) ||
  TIME.test(value) ||
  (value.includes('|') && VALIDATION.test(value)) ||
  (value.includes('://') && URL_START.test(value)) ||
  (/[/\\]/.test(value) && PATH.test(value));

/** Without marks, code: a path of properties, a call, a comparison, a type that may not be null. */
const CODE =
  /^[!&*~-]?[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+[!;]?$|^(?:new |await )?[A-Za-z_$][\w$.:!?]*[([]|^[!:?&|=$]|:$|\?\.|=>|^(?:String|Int|Float|Boolean|ID)!$|[^\w]\(/;

/** Bits a character of the text, 6 at most for base64. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

export const MACHINE_CHARS_MIN = 8;
/** From this length on one word in lower case is taken for a home-made secret (`JWT_SECRET=…`). */
const HOME_MADE_CHARS_MIN = 12;

/** Whether the value is one that a machine made: keys and tokens are long, and have digits between their letters. */
export function isMachineMade(text: string, form: ValueForm): boolean {
  const value = judged(text);
  if (value.length < MACHINE_CHARS_MIN || /\s/.test(value)) return false;
  if (isPlaceholder(value) || isPlace(value)) return false;
  if (value.includes('@') && EMAIL.test(value)) return false;
  if (form === 'bare' && (CODE.test(value) || /[;(){}[\]]/.test(value))) return false;
  if (entropyOf(value) < 2.3) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value) && !isWordy(value)) return true;
  if (form === 'bare' ? isRandom(value) : isRandom(value) || isScrambled(value)) return true;
  return form === 'env' && value.length >= HOME_MADE_CHARS_MIN && /^[a-z]+\d*$/.test(value);
}

export const STRICT_CHARS_MIN = 16;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Of both cases and digits, or hex digits as long as a key; not what hashes of files and commits look like. */
const MIXED = /^(?=.*\d)(?=.*[a-z]).*[A-Z]/;

/** The same under a name that says little (`key`, `auth`): objects, caches and rows have keys, too. */
export function isSurelyMade(text: string, form: ValueForm): boolean {
  const value = judged(text);
  if (value.length < STRICT_CHARS_MIN || UUID.test(value) || !/^[\w.~+/=:%-]+$/.test(value))
    return false;
  if (/^(?:sha\d+|md5|v\d|h\d)[-:]/i.test(value) || TIME.test(value)) return false;
  if (!isMachineMade(value, form) || entropyOf(value) < 3) return false;
  return MIXED.test(value) ? isRandom(value) : isNumbered(value);
}

/** Letters of one case with digits all over them. */
const isNumbered = (value: string): boolean =>
  value.length >= 20 && (value.match(/\d+/g) ?? []).length >= 4;

/** Shorter values are flags and counts (`pass=1`). */
const PASSWORD_CHARS_MIN: Record<ValueForm, number> = { quoted: 4, env: 4, bare: 6 };
const NUMBER = /^(?:\d{1,5}|0x[0-9a-f]+)$/i;
/** Names joined by dots or dashes, without a digit: fields, messages and properties. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]*(?:\.[A-Za-z_$-]+)*$/;
/** Four words and more joined by dashes, as people are told to choose them; or words between spaces. */
const PASSPHRASE = /^[A-Za-z]{3,}(?:-[A-Za-z]{3,}){3,}$/;
const SPACED_PHRASE =
  /^(?:[A-Za-z]{3,12} ){3,7}[A-Za-z]{3,12}$|^(?:[a-z]{3,12} ){2,4}[a-z]*\d{1,4}$/;
const MESSAGE = wordsOf(
  'the a an is are was be must not no your you and or of to in for with at by has have than please enter invalid wrong password required should can will if on this that new our lint unit mypy test',
);
const isMessage = (value: string): boolean =>
  value
    .toLowerCase()
    .split(/\W/)
    .some((word) => MESSAGE.has(word));
const LABEL_ITSELF = /^[a-z]*(?:pass|pwd)[a-z]*\d*$/i;

/** Whether the value is a password, which a person chose: `hunter2` is one. */
export function isPassword(text: string, form: ValueForm): boolean {
  const value = judged(text);
  if (value.length < PASSWORD_CHARS_MIN[form] || isPlaceholder(value) || isPlace(value))
    return false;
  if (/\s/.test(value)) return form !== 'bare' && SPACED_PHRASE.test(value) && !isMessage(value);
  if (NUMBER.test(value) || /^(?:[~.]|[A-Za-z]:)[\\/]/.test(value)) return false;
  if (form === 'bare') {
    if (CODE.test(value) || LABEL_ITSELF.test(value))
      return isRandom(value) && !/[()[\]]/.test(value);
    return !NAME.test(value) || isRandom(value) || PASSPHRASE.test(value);
  }
  // Only letters: `letmein` against names of fields and messages (`user.password`, `newPwd`, `Passwort`).
  return !NAME.test(value) || !(/pass|pwd|[.$]/i.test(value) || /^[A-Z][a-z]+$/.test(value));
}

/** The same under `pass` and `pw`, which are also a test's outcome and a width. */
export const isPassValue = (value: string, form: ValueForm): boolean =>
  isPassword(value, form) &&
  (form === 'env' ||
    (value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !isWordy(value)) ||
    isRandom(value));

/** The words of a wallet (BIP-39). */
export const isMnemonic = (value: string): boolean => {
  const words = value.trim().split(/ +/);
  return (
    [12, 15, 18, 21, 24].includes(words.length) &&
    words.every((word) => /^[a-z]{3,8}$/.test(word)) &&
    new Set(words).size > 3
  );
};

/** The id of a web session. An agent's session is none: ben10's journal is full of them. */
export const isSessionId = (value: string, form: ValueForm): boolean =>
  value.length >= STRICT_CHARS_MIN &&
  !/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|^[a-z]{2,12}_/i.test(value) &&
  isMachineMade(value, form);
/** The same under a name that says less: hex digits are an agent's, too. */
export const isMixedSessionId = (value: string, form: ValueForm): boolean =>
  isSessionId(value, form) && !/^[\da-f-]+$/i.test(value);

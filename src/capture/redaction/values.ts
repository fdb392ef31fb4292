import { onDemand } from './rule.ts';

/**
 * What counts as a value and what only stands where one would: example texts, references to where the secret is kept,
 * code. A label (`password`, `api_key`) says little in source code, so most of the judgement is here.
 */

/**
 * Where the value stood. `quoted`: between quotation marks, or a string of a parsed object. `env`: `NAME=value`, upper
 * case, no spaces, so surely data. `bare`: unquoted otherwise, where code (`token = nextToken`) is likelier than data.
 */
export type ValueForm = 'quoted' | 'env' | 'bare';

/** Texts that start like this are a reference to a secret's place, or a template for it. */
const REFERENCE =
  /^(?:[<{[\u2026]|\$[{(]|\$[A-Za-z_]\w*$|%[({]|%[sdv](?!\w)|%\w+%$|@\w+@$|#\{|process\.|import\.meta|os\.|env[.:[]|ENV\[|getenv|secrets\.|vault:|op:\/\/|arn:|ref\+)/;
/** Secrets that were masked or left out already. */
const MASKED = /^(.)\1*$|x{4}|\.{3}|\u2026|\*{3}|redacted/i;

/** Words of examples, whatever stands around them. */
const EXAMPLE_PART =
  /your[-_ ]?|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this|with)|placeholder|(?:^|[-_ ])(?:example|dummy|sample|insert)[-_ ]/i;

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
const LABEL_WORD = /^(.*?)[-_ ]?(?:password|passwd|passphrase|pass|pwd|token|key|credential)s?$/;
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
  return exampleWords().has(lower) || qualifiers().has(LABEL_WORD.exec(lower)?.[1] ?? '-');
}

const URL_START = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** Absolute paths are in lower case down to a file name, unlike base64 that happens to begin with a slash. */
const PATH =
  /^(?:~|\.{1,2})?\/(?:[a-z][\w.-]*\/)+[\w.-]*$|^(?:~|\.{1,2})?\/[a-z][a-z0-9_.-]*$|^\/(?:Users|Applications|Library)\/|^(?:~|\.{1,2})\/|^[A-Za-z]:\\/;

/** Whether the text is a template or a mask, which no secret is in any position. An empty one is too. */
export function isTemplate(value: string): boolean {
  return value === '' || REFERENCE.test(value) || MASKED.test(value);
}

/** Whether the text only marks where a secret would be. */
export function isPlaceholder(value: string): boolean {
  return isTemplate(value) || EXAMPLE_PART.test(value) || isExampleWhole(value);
}

/** Parts of names and identifiers: `next`, `v2`, `base64`, `2024`. Random text of a token's length has hardly any. */
const WORD_PART = /^(?:[A-Za-z]*\d{0,3}|\d{1,4})$/;
const CAMEL_CASE = /^[a-z]*\d{0,3}(?:[A-Z][a-z]+\d{0,3})*$/;

/** Names with a digit in the middle, which code is full of. */
const TERM =
  /25519|oauth2|sha(?:1|256|384|512)|base(?:32|58|64)|utf(?:8|16)|http2|x509|aes(?:128|256)|md5/gi;

function isWordy(value: string): boolean {
  const parts = value.replace(TERM, '').split(/[-_.:/@+~]/);
  return parts.every((part) => WORD_PART.test(part) || CAMEL_CASE.test(part));
}

const RUNS = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
/** Shorter ones are too few letters to tell. */
const SCRAMBLED_CHARS_MIN = 12;
/** Characters that runs of one kind have on average: of random letters two, of words in camel case four and more. */
const SCRAMBLED_RUN_CHARS = { sure: 2.5, likely: 3.5 };
/** Consonants that words put together, `subscription` and `background`. */
const CLUSTERS = /[bn]scr|[bn]str|ck[bdfghpst]|nds|rks|ngth|tch|sch|ght|dst/gi;
const UNPRONOUNCEABLE = /[bcdfghj-np-tv-xz]{4}|q[b-tv-z]|^[a-z]+\d{2}/;

/** Letters as only a machine mixes them, with or without digits. */
function isScrambled(value: string): boolean {
  if (value.length < SCRAMBLED_CHARS_MIN) return false;
  if (UNPRONOUNCEABLE.test(value.replace(CLUSTERS, 'a'))) return true;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const runs = value.match(RUNS) ?? [];
  const mean = runs.reduce((sum, run) => sum + run.length, 0) / runs.length;
  const { sure, likely } = SCRAMBLED_RUN_CHARS;
  return mean <= sure || (mean <= likely && !CAMEL_CASE.test(value));
}

/** In package files: `"pbkdf2-password": "^1.2.1"`. */
const VERSION = /^[~^<>=v]{0,3}\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?$/;

/** Addresses, file names and versions, which stand under telling names too. */
function isPlace(value: string): boolean {
  return URL_START.test(value) || PATH.test(value) || VERSION.test(value);
}

/** Keys and tokens are made by machines: they are long and have digits between the letters. */
const MACHINE_CHARS_MIN: Record<ValueForm, number> = { quoted: 8, env: 8, bare: 12 };
/** From this length on one lower-case word in an env line is taken for a home-made secret (`JWT_SECRET=…`). */
const HOME_MADE_CHARS_MIN = 12;

/** Whether the value of an API key, secret or token label is one. */
export function isMachineSecret(value: string, form: ValueForm): boolean {
  if (value.length < MACHINE_CHARS_MIN[form] || isPlaceholder(value) || isPlace(value))
    return false;
  if (/\s/.test(value)) return false;
  if (!isWordy(value)) return /\d/.test(value) && /[A-Za-z]/.test(value);
  if (form !== 'bare' && isScrambled(value.replace(TERM, ''))) return true;
  return form === 'env' && value.length >= HOME_MADE_CHARS_MIN && /^[a-z]+\d*$/.test(value);
}

/** Shorter values are flags and counts (`pass=1`). */
const PASSWORD_CHARS_MIN: Record<ValueForm, number> = { quoted: 4, env: 4, bare: 6 };

const NUMBER = /^(?:\d{1,5}|0x[0-9a-f]+)$/i;
/** Names joined by dots or dashes, without a digit: fields, messages and properties. */
const NAME = /^[A-Za-z_$][A-Za-z_$-]*(?:\.[A-Za-z_$-]+)*$/;
/** Code: a negation, a variable, an option, another label; a path of properties or another password, whatever digits. */
const CODE =
  /^[!:?&|=$.-]|:$|\?\.|^[A-Za-z_$]\w*(?:\.[A-Za-z_$]\w*)+$|^[a-z]*pass[a-z]*\d*$|^[a-z]*pwd\d*$/i;

/** `PWD=/home/…`; no one is asked for a password that starts like this. */
const PATH_START = /^(?:~|\.{1,2})?\/|^[A-Za-z]:[\\/]/;

/** Whether the value of a password label is one. Passwords are made by people: `hunter2` is one. */
export function isPassword(value: string, form: ValueForm): boolean {
  if (value.length < PASSWORD_CHARS_MIN[form] || isPlaceholder(value) || isPlace(value))
    return false;
  // With white space it is a message about a password far more often than a pass phrase.
  if (/\s/.test(value) || NUMBER.test(value) || PATH_START.test(value)) return false;
  if (form === 'bare') return !NAME.test(value) && !CODE.test(value);
  // Only letters: `letmein` against names of fields and messages (`user.password`, `newPwd`, `Passwort`).
  return !NAME.test(value) || !(/pass|pwd|[.$]/i.test(value) || /^[A-Z][a-z]+$/.test(value));
}

/** The same under `pass`, which is also a test's outcome and a graphics pass: only what nothing else looks like. */
export function isPassValue(value: string, form: ValueForm): boolean {
  return isPassword(value, form) && (form === 'env' || (form === 'quoted' && /\d/.test(value)));
}

import type { NamedSpan, Rule } from '../rule.ts';
import { type Assigned, assignedTo, nameAt } from '../search/assigned.ts';
import { KNOWN_BEFORE } from '../search/prefilter.ts';
import {
  isMachineMade,
  isMixedSessionId,
  isMnemonic,
  isPassValue,
  isPassword,
  isSessionId,
  isSurelyMade,
  MACHINE_CHARS_MIN,
  STRICT_CHARS_MIN,
  type ValueForm,
} from '../search/value-test.ts';
import { beginning, ending, wordsOf } from '../search/words.ts';

type Test = (value: string, form: ValueForm) => boolean;

/** A name that says what its value is. */
interface Label {
  id: string;
  /** In lower case; a word of letters only begins a part of the name. */
  words: readonly string[];
  test: Test;
  /** The words stand in others, too (`compass`, `author`): only as a part of a name of their own. */
  isApart?: boolean;
}

const LABELS: readonly Label[] = [
  {
    id: 'PASSWORD',
    words:
      'password passwd passphrase passcode passwort contrase\u00f1a senha requirepass masterauth'.split(
        ' ',
      ),
    test: isPassword,
  },
  { id: 'PASSWORD', words: ['pwd', 'psk'], test: isPassword, isApart: true },
  { id: 'PASSWORD', words: ['pass', 'pw'], test: isPassValue, isApart: true },
  {
    id: 'MNEMONIC',
    words: [
      'mnemonic',
      'seed_phrase',
      'seedphrase',
      'seed-phrase',
      'recovery_phrase',
      'recoveryphrase',
    ],
    test: isMnemonic,
  },
  {
    id: 'SESSION-ID',
    words: ['phpsessid', 'jsessionid', 'asp.net_sessionid', '.sid', '_session'],
    test: isSessionId,
  },
  { id: 'SESSION-ID', words: ['sessionid', 'session_id'], test: isMixedSessionId },
  { id: 'SECRET', words: ['secret', 'token', 'credential', 'creds'], test: isMachineMade },
  {
    id: 'API-KEY',
    words:
      'api account access private secret encryption encrypt signing shared master service license subscription deploy storage app auth admin function cosmos hmac client project webhook jwt ssh aes'
        .split(' ')
        .flatMap((word) => ['key', '_key', '-key'].map((key) => word + key))
        .concat(['api key', 'access key', 'secret key']),
    test: isMachineMade,
  },
  { id: 'API-KEY', words: ['key', 'appid', 'sig'], test: isSurelyMade, isApart: true },
  { id: 'SECRET', words: ['auth', 'pat', 'api'], test: isSurelyMade, isApart: true },
];

/** How long the values are that pass, at least. */
const LEAST_CHARS = new Map<Test, number>([
  [isMachineMade, MACHINE_CHARS_MIN],
  [isSurelyMade, STRICT_CHARS_MIN],
  [isSessionId, STRICT_CHARS_MIN],
  [isMixedSessionId, STRICT_CHARS_MIN],
]);

/** What a name speaks of behind the word: not the secret, but something of it. */
const ABOUT = wordsOf(
  'id name file path dir type url uri endpoint len size count expir ttl version arn ref alias prefix suffix policy field label hint help placeholder error message msg text title regex pattern format class style index host port user email status state keyref key_ref provider manager store service strength rule min max reset change required limit usage budget hash algorithm digest checksum fingerprint thumbprint',
);
/** What it speaks of before it. */
const ABOUT_BEFORE = wordsOf(
  'public publishable pub primary foreign partition sort cache idempotency object row idx natural unique max min input output total prompt completion reset forgot has is no get hot short turn mon don jo hockey whis integrity dedup dedupe deduplication i18n translation event map react next prev parent group query sha sha1 sha256 sha512 md5 hash etag content file image docker build git commit blob',
);

function isAbout(suffix: string): boolean {
  const lower = suffix.toLowerCase();
  return [lower, lower.replace(/^s/, '')].some((rest) => {
    const name = rest.replace(/^[_.-]/, '');
    const length = beginning(name, ABOUT);
    return length > 0 && !/[\d$]/.test(name[length] ?? '');
  });
}

const isAboutBefore = (start: string): boolean =>
  ending(start.toLowerCase().replace(/[_.-]$/, ''), ABOUT_BEFORE) > 0;

/** Whether the word is a part of the name by itself, in camel case or between signs. */
function isPart(name: string, at: number, word: string): boolean {
  const before = name[at - 1] ?? '';
  const first = name[at] ?? '';
  if (/[a-z]/.test(first) && /[a-z]/i.test(before)) return KNOWN_BEFORE.test(name.slice(0, at));
  if (/[A-Z]/.test(first) && /[A-Z]/.test(before)) return KNOWN_BEFORE.test(name.slice(0, at));
  return !goesOn(name.slice(at + word.length), name[at + word.length - 1]!);
}

/** Whether the word is only the beginning of another: `tokenizer`, `passwordless`. */
const goesOn = (suffix: string, last: string): boolean => {
  const rest = /[a-z]/.test(last)
    ? /^[a-z]+/.exec(suffix)
    : /[A-Z]/.test(last)
      ? /^[A-Z]+(?![a-z])/.exec(suffix)
      : null;
  return (
    rest !== null &&
    !/^(?:s|\d|key|token|secret|value|string|prod|dev|access|hash|text|plain|confirm\w*)$/i.test(
      rest[0],
    )
  );
};

/** Passwords under a name that goes on are judged as keys are: it may be about them (`passwordField`). */
const PASSWORD_SUFFIX =
  /^(?:s|[_.-]?(?:\d{1,3}|prod\w*|dev\w*|test|stag\w*|confirm\w*|again|new|old|current|value|string|plain|text|primary|secondary|backup|hash|[a-z]{1,2}\b))?$/i;

/** The test of a value under this name; undefined where the name does not tell of a secret. */
function testOf(label: Label, name: string, at: number, word: string): Test | undefined {
  const suffix = name.slice(at + word.length);
  if (
    label.isApart === true ? !isPart(name, at, word) : goesOn(suffix, name[at + word.length - 1]!)
  )
    return undefined;
  if (suffix !== '' && isAbout(suffix)) return undefined;
  if (label.id !== 'PASSWORD' && isAboutBefore(name.slice(0, at))) return undefined;
  if (label.id === 'PASSWORD' && suffix !== '' && !PASSWORD_SUFFIX.test(suffix))
    return isMachineMade;
  return label.test;
}

export const LABEL_RULES: readonly Rule[] = LABELS.map((label): Rule => {
  function* find(text: string, at: number, keyword: string): Generator<NamedSpan> {
    const name = nameAt(text, at, at + keyword.length, false);
    const test = testOf(label, name.text, at - name.start, keyword);
    if (test === undefined) return;
    const isOne = ({ value, form, isArgument }: Assigned): boolean =>
      (!isArgument || label.id !== 'PASSWORD' || isPassValue(value, form)) && test(value, form);
    for (const readings of assignedTo(text, name)) {
      const one = readings.find(isOne);
      if (one !== undefined) yield { start: one.start, end: one.end, id: label.id };
    }
  }
  return {
    id: label.id,
    kind: label.isApart ? 'part' : 'label',
    run: LEAST_CHARS.get(label.test) ?? 0,
    keywords: label.words,
    find,
    source: 'names of settings and options',
  };
});

/** What a value is under this name, as a string of a parsed object; undefined when it is no secret. */
export function idUnder(name: string, value: string): string | undefined {
  const lower = name.toLowerCase();
  for (const label of LABELS)
    for (const word of label.words) {
      const at = lower.lastIndexOf(word);
      if (at >= 0 && testOf(label, name, at, word)?.(value, 'quoted') === true) return label.id;
    }
  return undefined;
}

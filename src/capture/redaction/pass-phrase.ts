import { onDemand } from './rule.ts';
import { hasAny, isAlphanumeric, isDigit } from './word-char.ts';
import { isOfWords, isRandom, withoutTerms } from './words.ts';

/**
 * Passwords of several words. A message about a password, its label in another language and the name of a field have spaces as
 * well, so what is said here is what those do not look like: no sentence has so many words without one of those that hold it
 * together, and none of a message's own.
 */

/** What sentences and forms are made of, none of which a phrase has: in full, so that `thermal` is not `the`. */
const SPOKEN = onDemand(
  () =>
    new Set(
      (
        'a an the of to for in on at by is are was were be been has have had must should shall may can will would not no nor ' +
        'and or but if when than then that this your you my our their his her its it we they with without from into as per ' +
        'after before until too very least most more less min max minimum maximum between up out off only also all any each ' +
        'every both some other same which what how why characters chars letters digits numbers symbols length required ' +
        'requires contain contains include match matches field value input enter entered type invalid valid wrong incorrect ' +
        'missing empty please choose use used uses using set reset new old current confirm again repeat first last user ' +
        'users username email login log account change changed update updated create created delete remove add forgot show ' +
        'hide expired expires days hours minutes seconds times attempts try tests check checks error failed fail success ok ' +
        'stored saved hash hashed hashes encrypted encoded plain text default none null true false ago see via key keys ' +
        'token tokens secret'
      ).split(' '),
    ),
);
/** What a password is called in the languages that forms are written in, and what an example says. */
const CALLED =
  /pass|pwd|wort$|wacht|senha|contras|clave|parol|has[lł]o|heslo|salasana|your|^change/;
/** What follows an assignment in a shell. */
const COMMANDS = onDemand(
  () =>
    new Set(
      (
        'npm npx node yarn pnpm bun bunx deno python python3 pip pip3 uv poetry pytest make cmake ninja cargo go java mvn gradle php ' +
        'composer ruby bundle rake rails perl dotnet docker podman compose kubectl helm terraform ansible psql mysql mysqldump ' +
        'mongosh redis createdb dropdb pg curl wget ssh scp rsync git gh bash sh zsh fish env sudo exec nohup time cat echo printf ' +
        'source systemctl service restic borg openssl gpg vitest jest tsx tsc'
      ).split(' '),
    ),
);
/** What checks code: of these alone a list of what runs is made, `lint unit mypy ruff`. */
const CHECKERS = onDemand(
  () =>
    new Set(
      (
        'lint linter typecheck format build docs unit smoke coverage mypy pyright pyflakes pycodestyle pytest pylint ruff flake8 isort tox ' +
        'eslint stylelint prettier biome vitest jest mocha cypress playwright tsc clippy rustfmt gofmt ' +
        'staticcheck shellcheck rubocop rspec phpunit phpstan junit checkstyle'
      ).split(' '),
    ),
);
const areCheckers = (words: readonly string[]): boolean =>
  words.every((word) => CHECKERS().has(word) || /^\d+$/.test(word));

const WORD = /^(?:[a-z]{2,15}\d{0,4}|\d{1,6})$/;
const CAPITALISED = /^(?:[A-Z]?[a-z]{1,15}\d{0,4}|\d{1,6})$/;
/** The longest of them: a wallet's, characters. */
const PHRASE_CHARS_MAX = 24 * 9;
/** So many words, and one less where one of them is a number. */
const WORDS_MIN = 4;
const WORDS_MAX = 12;

/** Words of a person's choice and no message, each of which `isWord` knows. */
function isPhraseOf(value: string, isWord: RegExp): boolean {
  const words = value.split(' ', WORDS_MAX + 1);
  const min = words.some((word) => isDigit(word.charCodeAt(word.length - 1)))
    ? WORDS_MIN - 1
    : WORDS_MIN;
  if (words.length < min || words.length > WORDS_MAX) return false;
  return words.every((word) => isWord.test(word)) && isUnspoken(words) && !areCheckers(words);
}

const isUnspoken = (words: readonly string[]): boolean =>
  words.every((word) => {
    const lower = word.toLowerCase();
    return !SPOKEN().has(lower) && !CALLED.test(lower);
  });

/** Whether a text is a pass phrase wherever it stands as a password: `correct horse battery 9`. */
export const isPhrase = (value: string): boolean => isPhraseOf(value, WORD) && !runs(value);

/** `PASSWORD=x npm run build 2`: the second word is a command. */
const runs = (value: string): boolean => COMMANDS().has(value.split(' ', 2)[1] ?? '');

/** As Google has its app passwords: four times four letters. */
const APP_PASSWORD = /^[a-z]{4}(?: [a-z]{4}){3}$/;
/** Whether it is one of those, and no four words, wherever it stands. */
export const isAppPassword = (value: string): boolean =>
  APP_PASSWORD.test(value) && isUnspoken(value.split(' ')) && isRandom(value.replaceAll(' ', ''));

/** A sign among letters, or digits twice, as in no word of a message and no product's name. */
const MIXED_WORD = /[A-Za-z][!#^*~]+[a-z\d]|[A-Za-z]\d+[a-z]+\d+[a-z]/;
const MIXED_WORDS_MAX = 4;
/** `Summer Breeze 2024!` */
const TITLED = /^(?:[A-Z][a-z]{2,15} ){2,3}(?:\d{4,6}|\d{2,6}[!#*]{1,3})$/;
/** Whether a text of a few words is no message, as one of them shows (`T!ger Moon`) or all. */
export function isMixedPhrase(value: string): boolean {
  const words = value.split(' ', MIXED_WORDS_MAX + 1);
  return (
    words.length <= MIXED_WORDS_MAX &&
    words.every((word) => /^[\w!#^*~.-]{1,32}$/.test(word)) &&
    isUnspoken(words.flatMap((word) => word.split(/\W+/))) &&
    (TITLED.test(value) ||
      words.some((word) => word.length > 4 && MIXED_WORD.test(withoutTerms(word))))
  );
}

/** What follows a password on its line and belongs to it, as a message would go on in another way: ` Rain!`. */
const MORE_WORDS = /^(?: [A-Za-z]{2,16}[\d!?]{0,4}){1,3}(?=[ \t]*(?:$|[\r\n]))/;
export function moreWords(text: string, from: number): string {
  const more = MORE_WORDS.exec(text.slice(from, from + PHRASE_CHARS_MAX))?.[0] ?? '';
  return isUnspoken(more.split(/\W+/)) ? more : '';
}
/** Whose something is, with a name and a number at its end: a message begins with a capital, and has none there. */
const OWN = /^(?:my|our|his|her) (?=.*\b[A-Z][a-z]+ \d{2,6}$)/;
/** Words without the signs of a sentence. */
const PHRASE = /^[\w-]+(?: [\w-]+){2,}$/;
/** As short as a phrase of a wireless network may be. */
const SHORT_PHRASE = /^[\w-]+ [\w-]+$/;
const EXAMPLE = /\b(?:your|change|replace|placeholder|example|dummy|sample|insert)/i;
/** What a shell fills in. */
const FILLED = /[$`]|%\w+%/;

/** Whether a part of a text with spaces is as only a machine mixes signs. */
const isMixed = (value: string): boolean =>
  !FILLED.test(value) &&
  isUnspoken(value.split(/[^\w]+/)) &&
  value.split(' ').some((part) => part.length > 4 && hasAny(part, isDigit) && !isOfWords(part));

/** Whether a text with spaces is the pass phrase of a name in upper case, or of a network, and no message about one. */
export function isPassPhrase(name: string, value: string): boolean {
  if (!value.includes(' ') || value.length > PHRASE_CHARS_MAX) return false;
  if (APP_PASSWORD.test(value)) return !areCheckers(value.split(' '));
  if (/psk$/i.test(name) && SHORT_PHRASE.test(value)) return true;
  if (isPhraseOf(value, WORD) || isMixed(value)) return true;
  const plain = value.replace(/[!#*]{1,3}$/, '');
  // `my dog Rex 1987`
  const words = plain.replace(OWN, '');
  const first = words.split(' ', 2);
  // A sentence has one capital.
  const isTitled = /^[A-Z]/.test(first[0] ?? '') && /^[A-Z\d]/.test(first[1] ?? '');
  if ((isTitled || words !== plain || /^[a-z]/.test(words)) && isPhraseOf(words, CAPITALISED))
    return true;
  const isOfPhrase = /(?:passphrase|psk)$/i.test(name);
  return isOfPhrase && !/^[A-Z]/.test(value) && PHRASE.test(value) && !EXAMPLE.test(value);
}

/** BIP-39: 12, 15, 18, 21 or 24 words of three to eight letters. */
const MNEMONIC = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/;
/** Words that the list of BIP-39 has not, and nearly every sentence has. */
const NO_MNEMONIC = /\b(?:the|and|for|with|from|has|not|are|was|but|its)\b/;
/** Those that tests and documents use have one word again and again. */
const DIFFERENT_MIN = 6;

/** Whether a text is the list of words from which the keys of a wallet are made. */
export function isMnemonic(value: string): boolean {
  if (!MNEMONIC.test(value) || NO_MNEMONIC.test(value)) return false;
  const words = value.split(' ');
  return words.length % 3 === 0 && new Set(words).size >= DIFFERENT_MIN;
}

const isInPhrase = (code: number): boolean => code === 0x20 || isAlphanumeric(code);
/** Also as `cat -A` shows it. */
const LINE_END = /^[ \t]{0,8}(?:$|[\r\n"'`\\\x1b]|#|\$(?:$|[\r\n]))/;

/** Words and numbers with a space between them, from `start` to the end of their line or the mark around it; else undefined. */
export function phraseAt(text: string, start: number): string | undefined {
  const near = text.slice(start, start + PHRASE_CHARS_MAX + 16);
  let end = 0;
  while (isInPhrase(near.charCodeAt(end)) && end <= PHRASE_CHARS_MAX) end += 1;
  const phrase = near.slice(0, end).trimEnd();
  const isWhole = phrase.includes(' ') && LINE_END.test(near.slice(phrase.length));
  return isWhole ? phrase : undefined;
}

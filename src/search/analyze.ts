import { stemmer } from 'stemmer';
import { STOP_WORDS } from './stop-words.ts';

/** Raised whenever the same text gives other terms: index files of another version are made again. */
export const ANALYZER_VERSION = 7;

/** In bytes of UTF-8. */
const LONGEST_TERM = 64;
/** Of identifiers that are joined by dots and hyphens. */
const LONGEST_COMPOUND = 128;
const CACHED = 50_000;

// Classes of characters.
const OTHER = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
const UNDERSCORE = 5;
const MARK = 6;
/** Of a script that is written without spaces. */
const UNSPACED = 7;

const classes = new Uint8Array(0x10000);

const IS_UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ーｰﾞﾟ]$/u;

function classify(character: string): number {
  if (character === '_') return UNDERSCORE;
  if (/^\p{N}$/u.test(character)) return DIGIT;
  if (/^\p{M}$/u.test(character)) return MARK;
  if (!/^\p{L}$/u.test(character)) return OTHER;
  if (IS_UNSPACED.test(character)) return UNSPACED;
  return /^\p{Lu}$/u.test(character) ? UPPER : LOWER;
}

/** Of the character at `at`; the first half of a pair counts for both. */
function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const known = classes[unit]!;
  if (known !== 0) return known;
  const point = text.codePointAt(at)!;
  if (point > 0xffff) return classify(String.fromCodePoint(point));
  const found = classify(text[at]!);
  classes[unit] = found;
  return found;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const widthAt = (text: string, at: number): number =>
  isHighSurrogate(text.charCodeAt(at)) && text.codePointAt(at)! > 0xffff ? 2 : 1;

/** What a word of the text gives. */
interface Analysed {
  /** The whole first, then its parts. */
  terms: readonly string[];
  /** Whether the whole is an identifier or a file's name, not a word of prose. */
  isName: boolean;
}

export interface Word extends Analysed {
  start: number;
  end: number;
}

const cache = new Map<string, Analysed>();

/** Terms for the index, in the text's order: words stemmed, identifiers whole and in parts. */
export function analyze(text: string, each: (term: string, isName: boolean) => void): void {
  scan(text, (start, end, isUnspaced) => {
    if (isUnspaced) {
      pairsOf(text, start, end, (term) => each(term, false));
      return;
    }
    const { terms, isName } = analysed(text, start, end);
    for (let i = 0; i < terms.length; i += 1) each(terms[i]!, isName && i === 0);
  });
}

/** The same terms with their places, for snippets, phrases and queries. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  scan(text, (start, end, isUnspaced) => {
    if (!isUnspaced) words.push({ start, end, ...analysed(text, start, end) });
    else
      pairsOf(text, start, end, (term, from, to) =>
        words.push({ start: from, end: to, terms: [term], isName: false }),
      );
  });
  return words;
}

/** Runs of letters, digits and underscores, joined by single dots and hyphens; and runs of scripts without spaces. */
function scan(text: string, run: (start: number, end: number, isUnspaced: boolean) => void): void {
  let at = 0;
  while (at < text.length) {
    const first = classAt(text, at);
    if (first === OTHER || first === MARK) {
      at += widthAt(text, at);
      continue;
    }
    const start = at;
    if (first === UNSPACED) {
      at = endOfRun(text, at, true);
      run(start, at, true);
      continue;
    }
    at = endOfRun(text, at, false);
    while (at - start < LONGEST_COMPOUND && isJoined(text, at)) at = endOfRun(text, at + 1, false);
    run(start, at, false);
  }
}

function endOfRun(text: string, start: number, isUnspaced: boolean): number {
  let at = start;
  while (at < text.length) {
    const found = classAt(text, at);
    if (found === OTHER || (found !== MARK && (found === UNSPACED) !== isUnspaced)) return at;
    at += widthAt(text, at);
  }
  return at;
}

function isJoined(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit !== 0x2d && unit !== 0x2e) return false;
  if (at + 1 >= text.length) return false;
  const next = classAt(text, at + 1);
  return next >= LOWER && next <= UNDERSCORE;
}

function analysed(text: string, start: number, end: number): Analysed {
  const raw = text.slice(start, Math.min(end, start + 2 * LONGEST_COMPOUND));
  const known = cache.get(raw);
  if (known !== undefined) return known;
  if (cache.size >= CACHED) cache.clear();
  // A slice would keep the whole text in memory.
  const own = Buffer.from(raw, 'utf16le').toString('utf16le');
  const found = terms(own);
  cache.set(own, found);
  return found;
}

function terms(raw: string): Analysed {
  const whole = termOf(raw);
  const parts = partsOf(raw);
  if (parts.length === 1) return { terms: [whole], isName: false };
  const found = new Set(raw.length <= LONGEST_COMPOUND ? [whole] : []);
  for (const part of parts)
    if (part.length > 1 && !STOP_WORDS.has(part.toLowerCase())) found.add(termOf(part));
  return { terms: [...found], isName: true };
}

/** Where a lower case letter meets an upper case one, letters meet digits, and between what is no letter or digit. */
const PART = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[^\p{Lu}\p{N}_.-]+|\p{Lu}+|\p{N}+/gu;

function partsOf(raw: string): string[] {
  return raw.match(PART) ?? [raw];
}

function termOf(word: string): string {
  const folded = fold(word);
  if (/^[a-z]{3,}$/.test(folded)) return stemmer(folded.slice(0, LONGEST_TERM));
  return within(folded);
}

const STOP_TERMS: ReadonlySet<string> = new Set([...STOP_WORDS].map(termOf));

/** Whether a term says nothing of what a text is about. */
export const isStopTerm = (term: string): boolean => STOP_TERMS.has(term);

/** One form for what looks alike: compatibility forms, case and diacritics. */
function fold(word: string): string {
  if (/^[\x00-\x7f]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase();
}

function within(term: string): string {
  if (term.length * 3 <= LONGEST_TERM || Buffer.byteLength(term) <= LONGEST_TERM) return term;
  let bytes = 0;
  let kept = '';
  for (const character of term) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_TERM) break;
    kept += character;
  }
  return kept;
}

/** Each two neighbours of a run; one that stands alone is a term of its own. */
function pairsOf(
  text: string,
  start: number,
  end: number,
  each: (term: string, start: number, end: number) => void,
): void {
  let before = start;
  let at = nextIn(text, start, end);
  if (at >= end) each(pairOf(text, start, end), start, end);
  while (at < end) {
    const next = nextIn(text, at, end);
    each(pairOf(text, before, next), before, next);
    before = at;
    at = next;
  }
}

/** However many marks stand on its characters. */
const pairOf = (text: string, start: number, end: number): string =>
  within(fold(text.slice(start, Math.min(end, start + LONGEST_TERM))));

/** Past a character and the marks on it. */
function nextIn(text: string, at: number, end: number): number {
  let next = at + widthAt(text, at);
  while (next < end && classAt(text, next) === MARK) next += widthAt(text, next);
  return next;
}

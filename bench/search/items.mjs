// Known items: a fact of the journal, and what somebody would type who remembers it half.
import { seeded, shuffled } from '../lib/random.mjs';

/** More facts than this that fit as well: nobody could tell which one is meant. */
const AMBIGUOUS = 3;
const SPAN_WORDS = [4, 8];
/** Of each kind, in one journal. */
const MOST = 60;
const LINE_CHARS = [15, 300];
const NAME_CHARS = 5;

const SAYS_WHAT =
  /error|exception|fail|cannot|can't|not found|no such|denied|invalid|fatal|panic|undefined|unexpected/i;
const HEX = /\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/gi;
/** The folders before a name. */
const PATH = /(?<![^\s"'`(=[])(?:[A-Za-z]:)?(?:[\w.@~-]*[\\/])+(?=[\w.@-])/g;
const TAG = /<\/?[\w-]+>/g;
const NUMBER = /\d+/g;
const WORD = /[\p{L}\p{N}_'’-]+/gu;

/** @returns list of {kind, query, fact}; the same seed gives the same ones */
export function itemsOf(facts, seed = 5) {
  const random = seeded(seed);
  const journal = { random, lines: linesOf(facts), facts };
  return Object.entries(KINDS).flatMap(([kind, queryOf]) =>
    shuffled(facts, random)
      .map((fact) => ({ kind, fact, query: queryOf(fact, journal) }))
      .filter(({ query }) => query !== undefined)
      .slice(0, MOST),
  );
}

const KINDS = {
  error: changedError,
  edit: nameAndWord,
  prompt: spanOf('prompt'),
  answer: spanOf('answer'),
};

/** A line of a failure as it would look the next time: other numbers, another folder, another commit. */
function changedError({ error }, { random, lines }) {
  if (error === undefined) return undefined;
  const all = error.split('\n').map((line) => line.replace(TAG, ' ').trim());
  const line = all.findLast((one) => isTelling(one) && SAYS_WHAT.test(one)) ?? all.find(isTelling);
  if (line === undefined || lines.get(same(line)) > AMBIGUOUS) return undefined;
  const digit = (kind) => () => Math.floor(random() * kind).toString(kind);
  return line
    .replace(PATH, '/work/elsewhere/')
    .replace(HEX, (hex) => hex.replace(/[0-9a-f](?!x)/gi, digit(16)))
    .replace(NUMBER, (number) => number.replace(/\d/g, digit(10)));
}

const isTelling = (line) =>
  line.length >= LINE_CHARS[0] &&
  line.length <= LINE_CHARS[1] &&
  (line.match(/[A-Za-z]{3,}/g) ?? []).length >= 3;

/** Lines that differ in numbers and folders alone are the same line. */
const same = (line) =>
  line.replace(TAG, ' ').trim().replace(PATH, '').replace(HEX, '#').replace(NUMBER, '#');

/** @returns line → in how many facts */
function linesOf(facts) {
  const count = new Map();
  for (const { text } of facts)
    for (const line of new Set(text.split('\n').map(same)))
      count.set(line, (count.get(line) ?? 0) + 1);
  return count;
}

/** The name of an edited file, and a word that the edit brought. */
function nameAndWord({ kind, input }, { random, facts }) {
  if (kind !== 'call' || typeof input?.file_path !== 'string') return undefined;
  const name = input.file_path.split(/[\\/]/).at(-1);
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const [before, after] = [
    ({ old_string }) => old_string ?? '',
    ({ new_string, content }) => new_string ?? content ?? '',
  ].map((part) => new Set(edits.map(part).join('\n').match(WORD)));
  const words = [...after].filter(
    (word) =>
      word.length >= NAME_CHARS && /\p{L}/u.test(word) && !before.has(word) && !name.includes(word),
  );
  const word = shuffled(words, random)
    .slice(0, 20)
    .find(
      (one) =>
        facts.filter(({ text }) => text.includes(name) && text.includes(one)).length <= AMBIGUOUS,
    );
  return word && `${name} ${word}`;
}

/** Some words in a row, in another order. */
function spanOf(wanted) {
  return ({ kind, text }, { random, facts }) => {
    if (kind !== wanted) return undefined;
    const words = [...text.matchAll(WORD)];
    const [least, most] = SPAN_WORDS;
    if (words.length < least) return undefined;
    const length = Math.min(words.length, least + Math.floor(random() * (most - least + 1)));
    const at = Math.floor(random() * (words.length - length + 1));
    const last = words[at + length - 1];
    const span = text.slice(words[at].index, last.index + last[0].length);
    if (facts.filter((fact) => fact.text.includes(span)).length > AMBIGUOUS) return undefined;
    return shuffled(words.slice(at, at + length), random)
      .map(([word]) => word)
      .join(' ');
  };
}

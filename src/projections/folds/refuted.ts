import { compileOnce } from '../../platform/machine-code.ts';
import { looseSentencesOf } from '../clauses.ts';
import { referencesIn } from '../references.ts';
import { GUESSES } from '../sentence-patterns.ts';
import { isCorrection } from './corrections.ts';
import type { Note } from './evidence-notes.ts';

/** An assumption or decision of the agent's that the user, or the agent itself, corrected. Its note stays, marked, as a warning. */
export interface Refuted {
  /** Of the fact that refutes it. */
  seq: number;
  pos: number | null;
}

/** Says that an assumption is wrong. */
const WRONG_GUESS =
  /\b(?:wrong|bad) (?:guess|track|tree|diagnosis|theory|cause|assumption)\b|\b(?:that|this|it) ?(?:was|is)(?: not|n['’]t)|\b(?:that|this|it)['’]s not|\b(?:your|my|the|that|this) (?:\w+ )?(?:guess|theory|hypothesis|assumption|suspicion|diagnosis|suspect|idea) (?:was|is|turned out)(?: to be)? (?:\w+ )?(?:wrong|false|off|not|mistaken|incorrect)|\bi was (?:wrong|mistaken)\b|\b(?:that|this|it) (?:did|does)(?: not|n['’]t) (?:help|fix|change|solve|explain)\b|\bnot the (?:cause|reason|culprit|problem|bug|issue)\b/i;
/** Among sentences with `is not`: those about the assumption itself. */
const NOT_IT =
  /\b(?:(?:was|is)(?: not|n['’]t)|['’]s not) (?:it|that|the (?:\w+ )?(?:cause|reason|culprit|problem|bug|issue))\b/i;
const IS_NOT = /\b(?:was|is)(?: not|n['’]t)|['’]s not/i;
/** Names something as a cause. */
const SUPPOSES =
  /\b(?:caused?|causes|causing|culprit|because|due to|reason|the (?:\w+ )?(?:bug|problem|issue|flake|crash|leak|failure|error|race) (?:is|was|comes?|came|lies)|comes? from)\b/i;
const LONG = [WRONG_GUESS];

function isWrongGuess(sentence: string): boolean {
  compileOnce(LONG);
  return (
    !sentence.trimEnd().endsWith('?') &&
    WRONG_GUESS.test(sentence) &&
    (!IS_NOT.test(sentence) || NOT_IT.test(sentence))
  );
}

/** `Nicht ETS, das …`: names what is not wanted. */
const NOT_NAMED =
  /^(?:(?:nein|no|non|nee?)[,.!]? )?(?:nicht|not|pas)\s+(?:(?:the|a|an|with|via|in|mit|den|die|das|avec|le|la)\s+)?(?!(?:sure|yet|now|bad|sicher|jetzt|mal|schlecht|nötig|encore)\b)[`"]?([\p{L}][\p{L}\p{N}_.:/-]+)[`"]?\s*[,–—-]/iu;
/**
 * Rejects a way that the agent chose: `No, not redis.`, `Don't use Redis`, `use Postgres instead of Redis`. A cheap test stands
 * before each expression, because V8 compiles it anew for each hook.
 */
const NOT_CHOSEN: readonly [isLikely: (line: string) => boolean, RegExp][] = [
  [
    (line) => line.startsWith('n'),
    /^(?:no|nope|nein|non)[,.!:]? (?:not|nicht|pas) (?:with |via )?[`"]?([a-zß-ɏ][\wß-ɏ.:/-]+)[`"]?$/,
  ],
  [
    (line) => ['use ', 'take ', 'add '].some((verb) => line.includes(verb)),
    /\b(?:do(?:n['’]t| not)|never|please no|no need to) (?:use|take|add) (?:the |an? |any )?[`"]?([a-zß-ɏ][\wß-ɏ.:/-]+)/,
  ],
  [
    (line) => [' of ', ' than ', ' not '].some((word) => line.includes(word)),
    /\b(?:use|take|keep|prefer|with) (?:the |an? )?[`"]?(?<instead>[a-zß-ɏ][\wß-ɏ.:/-]+)[`"]?,? (?:instead of|rather than|and not|not) (?:the |an? )?[`"]?([a-zß-ɏ][\wß-ɏ.:/-]+)/,
  ],
];
const PRONOUN =
  /^(?:it|that|this|th[eo]se|them|any|our|your|my|both|one|so|quite|really|good|great|done|working|right|again|here|there|all)$/;

const AGENTS: ReadonlySet<Note['kind']> = new Set(['decision', 'finding', 'mended']);
/** A correction stands at the start of a text. */
const FIRST_SENTENCES = 2;

const firstOf = (text: string): string[] => looseSentencesOf(text).slice(0, FIRST_SENTENCES);

const namesIn = (text: string): string[] => [...referencesIn(text).keys()];

const supposes = ({ text }: Note): boolean => SUPPOSES.test(text) || GUESSES.test(text);

/**
 * By a prompt: assumptions since the last prompt if the user says that they are wrong, and statements about names and figures that
 * the user corrects.
 * @param since the step of the prompt before
 * @returns the same list when nothing is refuted
 */
export function refutedByUser(notes: Note[], text: string, since: number, by: Refuted): Note[] {
  const first = firstOf(text);
  const isWrong = first.some(isWrongGuess);
  const corrections = first.filter((one) => isWrongGuess(one) || isCorrection(one));
  const unwanted = first.flatMap((one) => NOT_NAMED.exec(one.trim())?.[1] ?? []);
  const unchosen = first.flatMap(unchosenIn);
  if (corrections.length + unwanted.length + unchosen.length === 0) return notes;
  const named = new Set(corrections.flatMap(namesIn));
  return marked(
    notes,
    by,
    (note) =>
      note.tick > since &&
      ((isWrong && supposes(note)) ||
        unwanted.some((name) => hasWord(note.text, name)) ||
        (note.kind === 'decision' && unchosen.some((one) => chooses(note.text, one))) ||
        (note.kind !== 'finding' && namesIn(note.text).some((name) => named.has(name)))),
  );
}

const WORDS = /[^\p{L}\p{N}_.:/-]+/u;

const hasWord = (text: string, word: string): boolean =>
  text.split(/[^\p{L}\p{N}_.:/]+/u).some((one) => one === word);

interface Unchosen {
  name: string;
  instead: string | undefined;
}

function unchosenIn(sentence: string): Unchosen[] {
  const line = sentence
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
  if (line.endsWith('?')) return [];
  return NOT_CHOSEN.flatMap(([isLikely, pattern]): Unchosen[] => {
    const found = isLikely(line) ? pattern.exec(line) : null;
    const name = found?.at(-1)?.replace(/[.:]+$/, '');
    if (name === undefined || name.length < 3 || PRONOUN.test(name)) return [];
    return [{ name, instead: found?.groups?.instead }];
  });
}

/** Words before a name that mean it is not chosen. */
const NOR =
  /\b(?:not|no|nor|without|instead|rather|than|from|dropp?\w*|remov\w*|replac\w*|avoid\w*)\b/;

/** Whether a sentence chooses this way, and does not mention the one wanted instead. */
function chooses(text: string, { name, instead }: Unchosen): boolean {
  const small = text.toLowerCase();
  const words = small.split(WORDS).map((word) => word.replace(/[.:]+$/, ''));
  if (!words.includes(name) || (instead !== undefined && words.includes(instead))) return false;
  const before = small.slice(0, small.indexOf(name)).split(/\s+/).slice(-4);
  return !NOR.test(before.join(' '));
}

/** By the agent: its assumptions since the last prompt, and all of its newest statement. */
export function refutedByAgent(notes: Note[], text: string, since: number, by: Refuted): Note[] {
  if (!firstOf(text).some(isWrongGuess)) return notes;
  const isSupposed = (note: Note) => note.tick > since && AGENTS.has(note.kind) && supposes(note);
  const newest = notes.findLast((note) => note.tick > since && AGENTS.has(note.kind))?.seq;
  return marked(notes, by, (note) => isSupposed(note) || note.seq === newest);
}

const marked = (notes: Note[], by: Refuted, is: (note: Note) => boolean): Note[] =>
  notes.some((note) => AGENTS.has(note.kind) && is(note))
    ? notes.map((note) => (AGENTS.has(note.kind) && is(note) ? { ...note, refuted: by } : note))
    : notes;

/** A rewind to before the refutation takes it back. */
export function standAgain(note: Note, rewoundTo: number): Note {
  const { refuted, ...rest } = note;
  return refuted?.pos == null || refuted.pos <= rewoundTo ? note : rest;
}

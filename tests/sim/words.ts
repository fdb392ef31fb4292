import { seeded } from '../seeded.ts';
import { pick } from './chance.ts';
import { LETTERS, type Letter, type Style } from './workload.ts';

/** Workloads of up to so many operations are always all tried. */
export const COMPLETE_LENGTH = 2;
/** Workloads of one length are taken in steps of this many, so that a part of them is a fair sample. */
const WORD_STEP = 1009;
const STYLES: readonly Style[] = ['server', 'hooks'];

export interface Workload {
  /** Its place in the order, from 0. */
  number: number;
  word: Letter[];
  style: Style;
}

/**
 * All of up to so many operations: the short ones first, then the long ones of each length in turns, as the seed says.
 * @param seed 0 for one length after the other: for who means to go through all of them
 */
export function* workloads(lengthMax: number, seed: number): Generator<Workload> {
  let number = 0;
  for (const word of inTurns(lengthMax, seed))
    for (const style of STYLES) {
      yield { number, word, style };
      number += 1;
    }
}

function* inTurns(lengthMax: number, seed: number): Generator<Letter[]> {
  const short = seed === 0 ? lengthMax : Math.min(lengthMax, COMPLETE_LENGTH);
  for (let length = 1; length <= short; length += 1) yield* words(length);
  let left: Generator<Letter[]>[] = [];
  for (let length = short + 1; length <= lengthMax; length += 1) left.push(words(length, seed));
  while (left.length > 0) {
    const ended = new Set<Generator<Letter[]>>();
    for (const one of left) {
      const { value, done } = one.next();
      if (done === true) ended.add(one);
      else yield value;
    }
    left = left.filter((one) => !ended.has(one));
  }
}

/**
 * All of one length, each once: the step and the number of them have no common factor.
 * @param seed which comes first; 0 for the first of all
 */
export function* words(length: number, seed = 0): Generator<Letter[]> {
  const all = LETTERS.length ** length;
  const first = seed === 0 ? 0 : pick(seeded(seed), all);
  for (let count = 0; count < all; count += 1) {
    let number = (first + count * WORD_STEP) % all;
    const word: Letter[] = [];
    for (let place = 0; place < length; place += 1) {
      word.push(LETTERS[number % LETTERS.length]!);
      number = Math.floor(number / LETTERS.length);
    }
    yield word;
  }
}

/** How many workloads there are. */
export const workloadsUpTo = (lengthMax: number): number =>
  Array.from({ length: lengthMax }, (_, index) => LETTERS.length ** (index + 1)).reduce(
    (sum, words) => sum + words * STYLES.length,
    0,
  );

import type { Basis, Field } from './document.ts';

/** BM25: how soon more of the same word stops to count, and how much a long text is discounted. */
export const K1 = 1.4;
export const B = 0.4;

/** What a word counts by where it stands. */
export const FIELD_WEIGHT: Record<Field, number> = {
  title: 1.2,
  names: 1,
  files: 3,
  body: 1,
  output: 0.6,
};

/** Terms of an average text. Constants, so that what a word gives a document is known when it is indexed. */
export const FIELD_LENGTH: Record<Field, number> = {
  title: 8,
  names: 8,
  files: 4,
  body: 28,
  output: 80,
};

/** An identifier as a whole, wherever it stands. */
export const NAME_WEIGHT = 1.5;

/** What a word counts that says nothing of what is looked for: it only tells apart what is alike otherwise. */
export const STOP_WEIGHT = 0.4;

const DAY = 86_400_000;
const HALF_LIFE = 30 * DAY;
const OLDEST = 0.9;

/**
 * By the age in milliseconds. It is counted from the newest document as of the asked point, not from now: a question as of some
 * point has one answer for ever, and a project that rested for a year is not all equally old.
 */
export const recencyOf = (age: number): number =>
  OLDEST + (1 - OLDEST) * 2 ** (-Math.max(0, age) / HALF_LIFE);

/** Who says it tells little of what is looked for; only what a summary repeats was there before. */
export const BASIS_WEIGHT: Record<Basis, number> = { ran: 1, user: 1, agent: 1, machine: 0.5 };

/** Said in the time that the query names. */
export const NAMED_TIME = 2;

/** Said on a branch of the conversation that was left. */
export const ABANDONED = 0.25;
/** Of another git branch than the newest document. */
export const OTHER_BRANCH = 0.9;

/** No product of a document's own factors is higher. */
export const HIGHEST_FACTOR = Math.max(...Object.values(BASIS_WEIGHT));

/** What a session's best hits count for it, in their order; only its best match shows it. */
export const SUPPORT = [1, 1 / 2, 1 / 3, 1 / 4, 1 / 5] as const;
/** What the document before and the one after add to a hit, as far as that goes. */
export const BESIDE = 0.25;
/** So many of the best hits are looked at for support. */
export const POOL = 400;

/** Of a longer query only the rarest count. */
export const MOST_TERMS = 64;

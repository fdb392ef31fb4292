import type { Frontier } from './frontier.ts';
import type { Cut } from './gather.ts';
import { comparePlaces, type Placed } from './order.ts';

export interface StateAt<S> {
  state: S;
  /** Of the newest event that it covers; 0 when there is none. */
  seq: number;
  /** Its time; null when there is none. */
  at: number | null;
  /** Facts folded after the stored state. */
  folded: number;
}

/** A state with what is needed to continue from it. */
export interface Found<S> {
  found: StateAt<S>;
  last: number;
  /** The settled part and the facts beyond it; undefined for a cut. */
  ahead?: { frontier: Frontier; count: number };
}

export interface Newest extends Found<unknown> {
  /** All events up to this one are covered. */
  passed: { seq: number };
}

/** The facts before a cut by history. */
export const upTo = (before: Cut['before'], placed: readonly Placed[]): readonly Placed[] =>
  before === undefined ? placed : placed.filter((one) => comparePlaces(one.place, before) < 0);

/** @param start frontier of the stored state before them */
export function newestOf(
  placed: readonly Placed[],
  start: Frontier | undefined,
): Pick<StateAt<unknown>, 'seq' | 'at'> {
  const seq = placed.reduce((max, { fact }) => Math.max(max, fact.seq), start?.seq ?? 0);
  return { seq, at: placed.at(-1)?.fact.at ?? start?.place?.time ?? null };
}

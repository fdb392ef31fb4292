import type { Frontier } from './frontier.ts';
import type { Cut } from './gather.ts';
import { comparePlaces, type Placed } from './order.ts';

export interface StateAt<S> {
  state: S;
  /** Of the newest event that the state knows of; 0 when there is none. */
  seq: number;
  /** Its time, milliseconds since the epoch; null when there is none. */
  at: number | null;
  /** How many facts were folded to get here, after the stored state that was used. */
  folded: number;
}

/** A state, and what to go on from it takes. */
export interface Found<S> {
  found: StateAt<S>;
  /** The newest event that was looked at. */
  last: number;
  /** Of what is settled in it, and how many facts are in it besides; undefined of a cut. */
  ahead?: { frontier: Frontier; count: number };
}

export interface Newest extends Found<unknown> {
  /** Up to this event there is nothing that it does not know of. */
  passed: { seq: number };
}

/** Those that a cut by history leaves. */
export const upTo = (before: Cut['before'], placed: readonly Placed[]): readonly Placed[] =>
  before === undefined ? placed : placed.filter((one) => comparePlaces(one.place, before) < 0);

/** @param start of the stored state that they were folded onto */
export function newestOf(
  placed: readonly Placed[],
  start: Frontier | undefined,
): Pick<StateAt<unknown>, 'seq' | 'at'> {
  const seq = placed.reduce((max, { fact }) => Math.max(max, fact.seq), start?.seq ?? 0);
  return { seq, at: placed.at(-1)?.fact.at ?? start?.place?.time ?? null };
}

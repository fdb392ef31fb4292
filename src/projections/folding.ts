import { atOnce } from '../platform/at-once.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { Fact, Projection } from './contract.ts';
import { type Frontier, wholeFrontier } from './frontier.ts';
import type { Cut, Gathered } from './gather.ts';
import { comparePlaces, type Placed } from './order.ts';

const STEP_FACTS = 16;

export const foldAll = <S>(projection: Projection<S>, start: S, placed: readonly Placed[]): S =>
  atOnce(folding(projection, start, placed));

/** The same in short steps. */
export function* folding<S>(
  projection: Projection<S>,
  start: S,
  placed: readonly Placed[],
): Generator<void, S> {
  const types = new Set(projection.types);
  let state = start;
  for (const [index, { fact }] of placed.entries()) {
    if (types.has(fact.type)) state = projection.apply(state, fact as Fact);
    if (index % STEP_FACTS === STEP_FACTS - 1) yield;
  }
  return state;
}

export interface StateAt<S> {
  state: S;
  /** Of the newest event that it covers; 0 when there is none. */
  seq: number;
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

/** A state that stands in for events that retention removes. */
export interface Base<S> extends Checkpoint<S> {
  /** Ids of facts up to there that are not in the state yet. */
  open: string[];
}

/**
 * The state when `upto` had arrived, to stand in for the removed events.
 * @param goesOn later events may still place earlier facts: facts that may move are left out
 */
export function baseOf<S>(
  projection: Projection<S>,
  { ordered, history, start, state: before }: Gathered<S>,
  upto: number,
  goesOn: boolean,
): Base<S> {
  const { count, frontier } = history.settled(ordered);
  if (goesOn) {
    const state = foldAll(projection, before, ordered.slice(0, count));
    return { state, frontier, open: ordered.slice(count).map(({ fact }) => fact.id) };
  }
  const state = foldAll(projection, before, ordered);
  const latest = ordered.reduce(
    (last, { place }) => (last && comparePlaces(last, place) > 0 ? last : place),
    start?.place ?? null,
  );
  return { state, frontier: wholeFrontier(upto, latest), open: [] };
}

import { atOnce } from '../platform/at-once.ts';
import type { Fact, Projection } from './contract.ts';
import type { Placed } from './order.ts';

/** Facts per step. */
const STEP_FACTS = 16;

/** Folds facts, which are in order. */
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

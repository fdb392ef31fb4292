import type { Checkpoint } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import { foldAll } from './folding.ts';
import { wholeFrontier } from './frontier.ts';
import type { Gathered } from './gather.ts';
import { comparePlaces } from './order.ts';

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

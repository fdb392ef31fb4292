import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import type { Frontier } from './frontier.ts';
import type { Gatherer } from './gather.ts';
import { SessionHistory } from './history.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';

/**
 * A state with everything in it that was known, also the facts that may still change their place: for the hook that comes next, and
 * finds nearly always that they have not. It holds as long as these facts, read again, are what they were and come before all others.
 */
export interface Ahead<S> extends Checkpoint<S> {
  /** How many facts are in it behind those that the frontier speaks of. */
  count: number;
}

interface GatheredAhead<S> {
  state: S;
  start: Frontier;
  ordered: Placed[];
  /** The newest event that was looked at. */
  last: number;
  count: number;
}

/** One of each session: each takes the place of the one before. */
const kindOf = ({ name, version }: Pick<Projection, 'name' | 'version'>) => ({
  name: `${name}-ahead`,
  version,
  keyframes: false,
  count: 1,
});

/** @param frontier of what is settled; `last` is the newest event that was known */
export function saveAhead<S>(
  store: CheckpointStore,
  projection: Projection<S>,
  session: string | null,
  { state, frontier, count }: Ahead<S>,
): void {
  store.tryToSave(kindOf(projection), session, { state, count }, frontier);
}

/**
 * The state that was stored ahead, and what has to be folded onto it: `ordered` is all that stands behind what is settled, and its
 * first `count` facts are in the state.
 * @param before where facts are to end; undefined for the newest state
 * @returns undefined when there is none, or it does not hold any more, or has more than is wanted
 */
export function gatherAhead<S>(
  gatherer: Gatherer,
  store: CheckpointStore,
  projection: Projection<S>,
  session: string | null,
  before: Place | undefined,
): GatheredAhead<S> | undefined {
  const stored = load(store, projection, session);
  if (stored === undefined) return undefined;
  const { state, frontier: start, count } = stored;
  const upto = start.last;
  if (upto <= (gatherer.bases.dropped()?.upto ?? 0)) return undefined;
  const history = new SessionHistory(start, projection.types);
  let last = upto;
  for (const event of gatherer.eventsOf(projection, session, { from: start.seq + 1 })) {
    if (last === upto && event.seq > upto) history.mark(upto);
    history.add(event);
    last = Math.max(last, event.seq);
  }
  if (last === upto) history.mark(upto);
  const ordered = history.ordered();
  if (history.late || history.keepsMarked(ordered) !== count) return undefined;
  const end = ordered[count - 1]?.place ?? start.place;
  if (before !== undefined && (end === null || comparePlaces(end, before) >= 0)) return undefined;
  return { state, start, ordered, last, count };
}

function load<S>(
  store: CheckpointStore,
  projection: Projection<S>,
  session: string | null,
): Ahead<S> | undefined {
  const kind = kindOf(projection);
  const [newest] = store.list(kind, session);
  if (newest === undefined) return undefined;
  const found = store.load<Omit<Ahead<S>, 'frontier'>>(kind, session, newest);
  return found && { ...found.state, frontier: found.frontier };
}

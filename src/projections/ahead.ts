import type { Checkpoint, CheckpointStore } from './checkpoints.ts';
import type { Projection } from './contract.ts';
import type { Frontier } from './frontier.ts';
import type { Gatherer } from './gather.ts';
import { SessionHistory } from './history.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';

/**
 * A state that also holds facts whose place may still change, so that the next hook has nothing to fold. It is valid as long as
 * those facts, read again, are unchanged and come before all others.
 */
export interface Ahead<S> extends Checkpoint<S> {
  /** Facts in it beyond those that the frontier covers. */
  count: number;
}

interface GatheredAhead<S> {
  state: S;
  start: Frontier;
  ordered: Placed[];
  last: number;
  count: number;
}

/** One per session: each replaces the one before. */
const kindOf = ({ name, version }: Pick<Projection, 'name' | 'version'>) => ({
  name: `${name}-ahead`,
  version,
  keyframes: false,
  count: 1,
});

/** @param frontier of the settled part; its `last` is the newest known event */
export function saveAhead<S>(
  store: CheckpointStore,
  projection: Projection<S>,
  session: string | null,
  { state, frontier, count }: Ahead<S>,
): void {
  store.tryToSave(kindOf(projection), session, { state, count }, frontier);
}

/**
 * The state stored ahead and the facts to fold onto it: the first `count` of `ordered` are in it already.
 * @param before where facts end; undefined for the newest state
 * @returns undefined when there is none, it is no longer valid, or it goes beyond `before`
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

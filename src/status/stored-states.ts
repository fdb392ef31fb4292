import type { CheckpointStore } from '../projections/checkpoints.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { States } from '../projections/states.ts';

/** A stored state of the session that was active last. */
export interface CheckpointInfo {
  /** `@1234`: the point that it is near. */
  id: string;
  /** When it was stored, whole milliseconds since the epoch. */
  timestamp: number;
  messageCount: number;
}

/** What was read of stored states, which never change: each by its session, its point and its file's time. */
export type ReadStates = readonly (readonly [key: string, info: CheckpointInfo])[];

/** Those that are listed: each is opened for its count of messages. */
const LISTED_MAX = 5;

/**
 * The newest ones of a session, newest first.
 * @param before those that were read before need not be opened again
 */
export function storedStates(
  store: CheckpointStore,
  states: States,
  session: string | null,
  before: ReadStates,
): ReadStates {
  if (session === null) return [];
  const known = new Map(before);
  return store
    .list(context, session)
    .slice(0, LISTED_MAX)
    .flatMap((seq) => {
      const storedAt = store.storedAt(context, session, seq);
      if (storedAt === undefined) return [];
      const key = `${session} ${seq} ${storedAt}`;
      const info = known.get(key) ?? infoOf(store, states, session, seq, storedAt);
      return info === undefined ? [] : [[key, info] as const];
    });
}

/** What is stored may lack facts whose place was still open then: those are counted as well. */
function infoOf(
  store: CheckpointStore,
  states: States,
  session: string,
  seq: number,
  storedAt: number,
): CheckpointInfo | undefined {
  const found = store.peek<ContextState>(context, session, seq);
  if (found === undefined) return undefined;
  const isWhole = found.frontier.seq === seq && found.frontier.folded.length === 0;
  const state = isWhole ? found.state : states.at(context, session, { upto: seq }).state;
  const { messageCount } = state.conversation;
  return { id: `@${seq}`, timestamp: Math.floor(storedAt), messageCount };
}

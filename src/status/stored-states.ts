import type { CheckpointStore } from '../projections/checkpoints.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { States } from '../projections/states.ts';

/** A stored state of the last active session. */
export interface CheckpointInfo {
  /** The point: `@1234`. */
  id: string;
  /** Whole milliseconds since the epoch. */
  timestamp: number;
  messageCount: number;
}

/** Stored states that were read, by session, point and file time; they never change. */
export type ReadStates = readonly (readonly [key: string, info: CheckpointInfo])[];

/** Each is opened for its number of messages. */
const LISTED_MAX = 5;

/** The newest ones of a session. @param before need not be opened again */
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

/** A stored state may lack facts that were not settled then: these are folded in. */
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

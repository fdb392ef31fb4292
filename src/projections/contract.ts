import type { EventType } from '../events/catalogue.ts';
import type { EventData, Trace } from '../events/types.ts';

/** An event merged with all that its sources know of it: the hook's, the transcript's and the import's view of one call are one fact. */
export interface Fact<T = unknown> {
  /** Of the first source. */
  seq: number;
  id: string;
  type: string;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: string;
  /** Milliseconds since the epoch; the transcript's own time where known. */
  at: number;
  data: T;
  trace: Trace | undefined;
}

/** What a projection folds: one session in history order, one session as it arrived, or the whole project as it arrived. */
export type Scope = 'session' | 'session-arrival' | 'project';

/**
 * A pure, deterministic fold. `apply` gets facts in order; it may change the given state and return it. States are bounded, plain
 * JSON data.
 */
export interface Projection<S = unknown> {
  name: string;
  /** Raised whenever the state's shape or the fold changes; states of other versions are ignored. */
  version: number;
  scope: Scope;
  /** The event types that it folds; other events are not decoded. */
  types: readonly string[];
  /** Stored every few messages, and kept for some days. */
  rolling?: boolean;
  initial(): S;
  apply(state: S, fact: Fact): S;
}

type Handlers<S> = { [T in EventType]?: (state: S, fact: Fact<EventData[T]>) => void };

/** A projection's types, and a fold that hands each fact to the handler of its type, which changes the state. */
export function foldedBy<S>(handlers: Handlers<S>): Pick<Projection<S>, 'types' | 'apply'> {
  const all = new Map(Object.entries(handlers));
  return {
    types: [...all.keys()],
    apply(state, fact) {
      all.get(fact.type)?.(state, fact as never);
      return state;
    },
  };
}

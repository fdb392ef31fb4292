import type { Trace } from '../events/types.ts';

/**
 * A fact: an event with everything that its witnesses know about it, at its place in history. What a hook, the
 * transcript and an import each said about one tool call is one fact.
 */
export interface Fact<T = unknown> {
  /** Of its first witness. */
  seq: number;
  id: string;
  type: string;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: string;
  /** Milliseconds since the epoch; the transcript's own time where it is known. */
  at: number;
  data: T;
  trace: Trace | undefined;
}

/**
 * What of the journal a projection folds together: one session's facts in history order, one session's events as
 * they arrived, or the whole project's as they arrived.
 */
export type Scope = 'session' | 'session-arrival' | 'project';

/**
 * A pure, deterministic fold. `apply` gets facts in history order and may change the state that it is given and
 * return it: nobody else holds it. State is plain data that JSON can say, and bounded.
 */
export interface Projection<S = unknown> {
  name: string;
  /** Raised whenever the state's shape or the fold changes: stored states of other versions are void. */
  version: number;
  scope: Scope;
  /** The event types that it folds; the bodies of all others are never looked at. */
  types: readonly string[];
  /** True where stored states roll: one after so many messages, and older ones for some days. */
  rolling?: boolean;
  initial(): S;
  /**
   * An older state in today's shape; undefined when no way leads from that version. Asked only of states whose events were
   * dropped, in `journal.based`: all others are folded anew. Needed once a version was released.
   */
  upcast?(state: unknown, version: number): S | undefined;
  apply(state: S, fact: Fact): S;
}

import type { EventData, EventType, Trace } from '../events/types.ts';

/**
 * What one witness saw of one fact, before it is known whether somebody else saw it already. Hooks, transcripts
 * and imports all speak of facts in this form.
 */
export interface Observation<T extends EventType = EventType> {
  type: T;
  /** The client's own name for the fact (`events/identity.ts`); null when it has none. */
  fact: string | null;
  session: string;
  agent: string | null;
  /** Milliseconds since the epoch; null when the witness does not say. */
  at: number | null;
  data: EventData[T];
  trace?: Trace;
  /** The file that a tool's answer is about, as its call said it: the answer itself may not say it. */
  file?: string | undefined;
  /** The call that an outcome is of, as the outcome's own witness tells it: for where the call's was lost. */
  call?: Observation<'tool.called'> | undefined;
  /**
   * Where a conversation can be taken up somewhere else: the uuid of the record that this goes on from, null for a
   * fresh start. `branches.ts` turns it into `trace.rewoundTo`.
   */
  goesOnFrom?: string | null;
}

export function observation<T extends EventType>(
  type: T,
  fact: string | null,
  { session, agent, at }: { session: string; agent: string | null; at: number | null },
  data: EventData[T],
): Observation<T> {
  return { type, fact, session, agent, at, data };
}

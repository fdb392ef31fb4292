import type { EventData, EventType, Trace } from '../events/types.ts';
import { defined } from './json.ts';

/**
 * What one source saw of one fact, before it is known whether another saw it. Hooks, transcripts and imports all
 * report facts in this form.
 */
export interface Observation<T extends EventType = EventType> {
  type: T;
  /** The client's own name for the fact (`events/identity.ts`); null when it has none. */
  fact: string | null;
  session: string;
  agent: string | null;
  /** Milliseconds since the epoch; null if unknown. */
  at: number | null;
  data: EventData[T];
  trace?: Trace;
  /** The file of a tool's answer, as its call named it: the answer may not. */
  file?: string | undefined;
  /** The call of an outcome, in case the call's own hook was lost. */
  call?: Observation<'tool.called'> | undefined;
  /**
   * Where a conversation may continue from elsewhere: uuid of the record before this one, null for a fresh start.
   * `branches.ts` turns it into `trace.rewoundTo`.
   */
  goesOnFrom?: string | null;
}

/** @param data its undefined fields are left out */
export function observation<T extends EventType>(
  type: T,
  fact: string | null,
  { session, agent, at }: Pick<Observation, 'session' | 'agent' | 'at'>,
  data: { [K in keyof EventData[T]]: EventData[T][K] | undefined },
): Observation<T> {
  return { type, fact, session, agent, at, data: defined<EventData[T]>(data) };
}

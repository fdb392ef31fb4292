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
 * return it: nobody else holds it. State is plain data that MessagePack can say, and bounded.
 */
export interface Projection<S = unknown> {
  name: string;
  /** Raised whenever the state's shape or the fold changes: stored states of other versions are void. */
  version: number;
  scope: Scope;
  /** The event types that it folds; the bodies of all others are never looked at. */
  types: readonly string[];
  initial(): S;
  apply(state: S, fact: Fact): S;
}

/** What a stored state may take, encoded. The folds keep well below by counting what they drop. */
export const STATE_BYTES_MAX = 4 * 1024 * 1024;

/** The first `chars` of a text, marked when it was cut. Never splits a surrogate pair. */
export function headOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars;
  return `${text.slice(0, cut)}…`;
}

/** Drops the oldest so that at most `max` are left; returns how many were dropped. */
export function keepNewest<T>(list: T[], max: number): number {
  const over = list.length - max;
  if (over <= 0) return 0;
  list.splice(0, over);
  return over;
}

/** Tokens of a text, estimated: 3.1 bytes a token, measured over three vocabularies on transcript text. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3.1);

/** A name from outside as an object's key: the one name that would change the object itself gets another. */
export const keyOf = (name: string): string => (name === '__proto__' ? '(__proto__)' : name);

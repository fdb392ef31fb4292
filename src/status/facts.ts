import type { Project } from '../project/open.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { States } from '../projections/states.ts';
import { COST_VERSION, costOf } from './cost.ts';
import { type HookTimes, hookTimesIn } from './hook-times.ts';
import { overviewOf } from './overview.ts';

/** A session that never said that it ended. Everything up to its last event was recovered. */
export interface CutOffInfo {
  session: string;
  /** When it was last heard of, milliseconds since the epoch. */
  at: number;
  /** Its last event. */
  seq: number;
}

/** What status says of the journal's content. */
export interface Facts {
  sessionCount: number;
  /** The one that was active last; null when there is none. The next three are of it. */
  session: string | null;
  messageCount: number;
  tokenCount: number;
  trackedFiles: number;
  cutOff: CutOffInfo | null;
  injectedChars: number;
  hooks: HookTimes;
}

/** Changes with each of the folds that it is told from. */
export const FACTS_VERSION = 1_000_000 * context.version + 1000 * sessions.version + COST_VERSION;

/** Told from stored states, and what was appended since. */
export function factsOf(project: Project, store: CheckpointStore): Facts {
  const { states } = project;
  const { count, newest, cutOff } = overviewOf(project, store);
  const cost = costOf(project, store);
  const state = newest === undefined ? context.initial() : states.at(context, newest.session).state;
  return {
    sessionCount: count,
    session: newest?.session ?? null,
    messageCount: state.conversation.messageCount,
    tokenCount: tokensOf(state),
    trackedFiles: Object.keys(state.files.files).length,
    cutOff: cutOff ? cutOffOf(states, cutOff) : null,
    injectedChars: cost.injected.chars,
    hooks: hookTimesIn(cost.hooks),
  };
}

/** The session's own record does not count what its transcript told. */
const cutOffOf = (states: States, { session, lastAt, lastSeq }: SessionRecord): CutOffInfo => ({
  session,
  at: lastAt,
  seq: Math.max(lastSeq, states.at(context, session).seq),
});

const tokensOf = ({ usage, conversation }: ContextState): number =>
  usage.contextTokens ?? conversation.messages.reduce((sum, one) => sum + one.tokenCount, 0);

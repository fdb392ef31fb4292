import type { Project } from '../project/open.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { InjectedState } from '../projections/folds/injected.ts';
import { type SessionRecord, sessions } from '../projections/folds/sessions.ts';
import type { States } from '../projections/states.ts';
import { COST_VERSION, costOf } from './cost.ts';
import { type HookTimes, hookTimesIn } from './hook-times.ts';
import { overviewOf } from './overview.ts';

/** A session that did not end properly. */
export interface CutOffInfo {
  session: string;
  /** Its last activity, milliseconds since the epoch. */
  at: number;
  /** Its last event. */
  seq: number;
}

export interface Facts {
  sessionCount: number;
  /** The last active one, if any. The next three are of it. */
  session: string | null;
  messageCount: number;
  tokenCount: number;
  trackedFiles: number;
  cutOff: CutOffInfo | null;
  injected: InjectedState;
  hooks: HookTimes;
}

/** Changes with each fold that it depends on. */
export const FACTS_VERSION = 1_000_000 * context.version + 1000 * sessions.version + COST_VERSION;

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
    injected: cost.injected,
    hooks: hookTimesIn(cost.hooks),
  };
}

/** The session's record does not include events from its transcript. */
const cutOffOf = (states: States, { session, lastAt, lastSeq }: SessionRecord): CutOffInfo => ({
  session,
  at: lastAt,
  seq: Math.max(lastSeq, states.at(context, session).seq),
});

const tokensOf = ({ usage, conversation }: ContextState): number =>
  usage.contextTokens ?? conversation.messages.reduce((sum, one) => sum + one.tokenCount, 0);

import type { TurnEnded } from '../events/types.ts';
import type { Fact, Projection } from './contract.ts';
import { lastWords } from './folds/last-words.ts';
import type { Frontier } from './frontier.ts';
import type { Placed } from './order.ts';

const CHECKPOINT_EVENTS = 100;
/** For states that a later hook stores anyway: only when folding them again would take long. */
const EVENTS_AWAITED = 400;
/** A turn may have many calls and few messages, and calls take time to fold, too. */
const EVENTS_PER_MESSAGE = 10;
/** The configuration's default, messages. */
const CHECKPOINT_INTERVAL = 10;
const MESSAGES = new Set(['prompt.submitted', 'message.recorded']);

export interface DueOptions {
  /** Messages between two stored states of a rolling projection. */
  checkpointInterval?: number | undefined;
  /** The session of a hook that blocks the client: its states and the project's are stored at the end of the turn instead. */
  awaited?: string | undefined;
}
/**
 * Whether a state should be stored.
 * @param stored the frontier of the newest stored one
 * @param placed the facts since then
 */
export function isDue(
  { rolling }: Pick<Projection, 'rolling'>,
  session: string | null,
  { stored, frontier }: { stored: Frontier | undefined; frontier: Frontier },
  placed: readonly Placed[],
  { checkpointInterval = CHECKPOINT_INTERVAL, awaited }: DueOptions,
): boolean {
  const isLeft = awaited !== undefined && (session === null || session === awaited);
  const events = frontier.seq - (stored?.seq ?? 0);
  // A new session has no stored state to count from.
  if (isLeft) return (session === null ? events : placed.length) >= EVENTS_AWAITED;
  if (rolling !== true) return events >= CHECKPOINT_EVENTS;
  if (events >= checkpointInterval * EVENTS_PER_MESSAGE) return true;
  if (events < checkpointInterval) return false;
  const isHeard = frontier.reached.some(([thread]) => thread === '');
  const said = placed.filter(({ fact }) => MESSAGES.has(fact.type) || (!isHeard && isSaid(fact)));
  return said.length >= checkpointInterval;
}

/** Counts as a message where no transcript has the agent's words. */
const isSaid = (fact: Fact): boolean =>
  fact.type === 'turn.ended' && lastWords(fact as Fact<TurnEnded>) !== undefined;

import type { TurnEnded } from '../events/types.ts';
import type { Fact, Projection } from './contract.ts';
import { lastWords } from './folds/last-words.ts';
import type { Frontier } from './frontier.ts';
import type { Placed } from './order.ts';

/** A stored state is worth its file when this many events lie between it and the one before. */
const CHECKPOINT_EVENTS = 100;
/** Of what a later hook stores anyway: only what would take long the next time, too. */
const EVENTS_AWAITED = 400;
/** Of a state that rolls by messages: a turn may have many calls and few words, and they take their time to fold, too. */
const EVENTS_PER_MESSAGE = 10;
/** As the configuration has it, messages. */
const CHECKPOINT_INTERVAL = 10;
const MESSAGES = new Set(['prompt.submitted', 'message.recorded']);

export interface DueOptions {
  /** Messages between two stored states of a projection that rolls. */
  checkpointInterval?: number | undefined;
  /**
   * The session of the hook that somebody waits for: what is stored ahead serves it, and to store its states, and those of the
   * project, is for the end of its turn. A session that has ended has no other hook that stores what was folded of it.
   */
  awaited?: string | undefined;
}

/**
 * Whether a state is to be stored.
 * @param stored the frontier of the one that is stored already
 * @param placed the facts in it behind that one
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
  // A session that has just begun has no stored state that its events could be counted from.
  if (isLeft) return (session === null ? events : placed.length) >= EVENTS_AWAITED;
  if (rolling !== true) return events >= CHECKPOINT_EVENTS;
  if (events >= checkpointInterval * EVENTS_PER_MESSAGE) return true;
  if (events < checkpointInterval) return false;
  const isHeard = frontier.reached.some(([thread]) => thread === '');
  const said = placed.filter(({ fact }) => MESSAGES.has(fact.type) || (!isHeard && isSaid(fact)));
  return said.length >= checkpointInterval;
}

/** As it is in the state, where no transcript tells what the agent says. */
const isSaid = (fact: Fact): boolean =>
  fact.type === 'turn.ended' && lastWords(fact as Fact<TurnEnded>) !== undefined;

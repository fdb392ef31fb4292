import { context } from './folds/context.ts';
import { type CursorsState, cursors } from './folds/cursors.ts';
import { evidence } from './folds/evidence.ts';
import type { Cut } from './gather.ts';
import { comparePlaces, END } from './order.ts';
import type { States } from './states.ts';

/** What a session is owed after a compaction; nothing when the events behind it were removed. */
export function memoryOf(states: States, session: string, cut: Cut): CursorsState {
  const { state } = states.at(cursors, session, cut);
  const { heldUntil, owed } = state;
  if (owed === null || heldUntil === null) return state;
  const isDropped = [context, evidence].some((one) => {
    const place = states.based<unknown>(one, session)?.frontier.place;
    return place && comparePlaces(place, heldAt(heldUntil)) >= 0;
  });
  return isDropped ? { ...state, owed: null } : state;
}

/** Where the context that a compaction replaced ends; the cut itself when nothing is owed. */
export function heldBefore(states: States, session: string, cut: Cut = {}): Cut {
  const memory = memoryOf(states, session, cut);
  return heldOf(memory.owed ?? 'compact', memory, cut);
}

/** Whether nothing was given back since the last compaction. */
export const isUnanswered = (states: States, session: string): boolean =>
  states.at(cursors, session).state.unanswered;

/** After everything that a transcript has at that moment. */
const heldAt = (time: number) => ({ ...END, time });

/**
 * After a compaction, only what happened before it is given back, even if the journal learned of it later: transcripts lag, and the
 * prompt being submitted is recorded already. Once answered, a compaction no longer limits anything.
 * @param source the hook's occasion
 */
export function heldOf(source: string, memory: CursorsState | undefined, cut: Cut): Cut {
  if (!memory || memory.owed !== source || memory.heldUntil === null) return cut;
  const held = heldAt(memory.heldUntil);
  const isEarlier = cut.before !== undefined && comparePlaces(cut.before, held) < 0;
  return isEarlier ? cut : { ...cut, before: held };
}

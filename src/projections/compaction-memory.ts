import { context } from './folds/context.ts';
import { type CursorsState, cursors } from './folds/cursors.ts';
import { evidence } from './folds/evidence.ts';
import type { Cut } from './gather.ts';
import { comparePlaces, END } from './order.ts';
import type { States } from './states.ts';

/** What a session is owed after a compaction. One whose past was dropped is owed nothing. */
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

/** Where what a session held before its compaction ends, as it is given back at its start; the cut where none is owed that. */
export function heldBefore(states: States, session: string, cut: Cut = {}): Cut {
  const memory = memoryOf(states, session, cut);
  return heldOf(memory.owed ?? 'compact', memory, cut);
}

/** Whether a compaction passed and nothing at all was given back. */
export const isUnanswered = (states: States, session: string): boolean =>
  states.at(cursors, session).state.unanswered;

/** Behind what a transcript has of that very moment. */
const heldAt = (time: number) => ({ ...END, time });

/**
 * Where what is given back ends. After a compaction it is what had happened before it, whenever the journal came to
 * know of that: transcripts lag, and the prompt that is being submitted is recorded already. A compaction that was
 * answered is over: asked then, it is what one of now would be given.
 * @param source what it is given back at
 */
export function heldOf(source: string, memory: CursorsState | undefined, cut: Cut): Cut {
  if (!memory || memory.owed !== source || memory.heldUntil === null) return cut;
  const held = heldAt(memory.heldUntil);
  const isEarlier = cut.before !== undefined && comparePlaces(cut.before, held) < 0;
  return isEarlier ? cut : { ...cut, before: held };
}

import { BASED } from './based.ts';
import type { Projection } from './contract.ts';
import { handoffs } from './folds/handoffs.ts';
import { loops } from './folds/loops.ts';
import { retractions } from './folds/retractions.ts';
import type { States } from './states.ts';

const OF_PROJECT: readonly Projection[] = [
  ...BASED.project,
  ...([handoffs, loops, retractions] as unknown as Projection[]),
];

/** Brings the stored states of these sessions and of the project up to now: a hook has no time to fold much. */
export function storeForHooks(states: States, sessions: Iterable<string>): void {
  for (const session of sessions)
    for (const projection of BASED.session) states.at(projection, session);
  for (const projection of OF_PROJECT) states.at(projection, null);
}

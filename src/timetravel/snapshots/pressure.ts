import type { Project } from '../../project/open.ts';
import { type ContextState, context } from '../../projections/folds/context.ts';
import { type Message, shareOf } from '../../projections/folds/conversation.ts';
import { recentSnapshots, snapshotSeqs } from './recent.ts';

/** Of what a state holds of a conversation. The other half is for what the next turn brings before anybody looks again. */
const DUE = 0.5;

/**
 * Whether a session's state is about to let messages go that no snapshot has: it holds the newest ones only, and so much came
 * since the last snapshot.
 * @throws STATES_BEHIND
 */
export function isUnderPressure(project: Project, session: string): boolean {
  const { conversation }: ContextState = project.states.at(context, session).state;
  const isDue = (upto: number) => shareOf(conversation.messages.filter(isBehind(upto))) >= DUE;
  // The names of the files tell nearly always that nothing is due, at no cost.
  if (!isDue(snapshotSeqs(project).at(-1) ?? 0)) return false;
  const own = recentSnapshots(project).findLast((one) => one.session === session);
  return isDue(own?.upto ?? 0);
}

const isBehind =
  (upto: number) =>
  ({ seq }: Message): boolean =>
    seq > upto;

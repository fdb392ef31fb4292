import type { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { statesLost } from '../projections/dropped.ts';
import { context } from '../projections/folds/context.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { PROJECTIONS, type Replayed } from './replay.ts';

/** An error for a state that may lack events, because the states kept in their place are unreadable; undefined for a complete one. */
export function lostTo(
  project: Project,
  { projection, session }: Pick<Replayed, 'projection' | 'session'>,
): Ben10Error | undefined {
  const { states } = project;
  const isOfSession = projection !== sessions.name;
  const lost = states.lost(isOfSession ? context : sessions, isOfSession ? session : null);
  if (lost === undefined) return undefined;
  if (isOfSession && session !== null && states.lost(sessions) === undefined) {
    const known = states.at(sessions, null).state.sessions[session];
    if (known !== undefined && known.firstSeq > lost.upto) return undefined;
  }
  return statesLost(lost);
}

export const lostData = ({ code, message, next }: Ben10Error): object => ({ code, message, next });

/** Whether nothing at all is known, so that "nothing happened" would be misleading. */
export const isEmpty = ({ projection, state }: Replayed): boolean =>
  JSON.stringify(state) === JSON.stringify(PROJECTIONS[projection]!.initial());

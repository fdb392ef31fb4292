import type { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { statesLost } from '../projections/dropped.ts';
import { context } from '../projections/folds/context.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { PROJECTIONS, type Replayed } from './replay.ts';

/**
 * What is to be said of a state that may lack what was dropped, because states that stood for that are lost; undefined where
 * it lacks nothing. A session that began since lacks nothing, where that is known.
 */
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

/** As data. */
export const lostData = ({ code, message, next }: Ben10Error): object => ({ code, message, next });

/** Whether nothing is known at all: then it is not said that nothing had happened. */
export const isEmpty = ({ projection, state }: Replayed): boolean =>
  JSON.stringify(state) === JSON.stringify(PROJECTIONS[projection]!.initial());

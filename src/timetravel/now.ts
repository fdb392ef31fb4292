import { journalRange } from '../journal/read/range.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { timeAt } from './head.ts';
import type { Replayed } from './replay.ts';

/**
 * The newest state of a session, which a process that asked for it already is given without a fold. The end of the journal is
 * looked up first: what arrives in between is in the state, so that what it is up to is never too little.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, STATES_BEHIND
 */
export function contextNow(project: Project, session: string): Replayed<ContextState> {
  const { ports, reader, states, layout } = project;
  const { last } = journalRange(ports, reader);
  const { state, seq: known } = states.at(context, session);
  const seq = Math.max(last, known);
  if (seq === 0) {
    throw new Ben10Error(
      'CONTEXT_NOT_FOUND',
      'there is nothing to store: nothing was recorded yet',
      { place: { file: layout.journal } },
    );
  }
  const { name, version } = context;
  const point = { seq, at: timeAt(project, seq) };
  return { point, projection: name, version, session, state };
}

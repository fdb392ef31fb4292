import { fact } from '../events/identity.ts';
import type { Source } from '../events/types.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { contextUse, useNow } from '../projections/folds/context-use.ts';
import { viewOf, writeView } from './write-view.ts';

export const DEFER_POINTS = 5;
export const DEFER_POINTS_MAX = 20;
/** In an epoch. */
const DEFERRALS_MAX = 2;

/**
 * Puts off what L1 and L2 ask for, until the context has grown by so many points.
 * @returns the percent up to which alert and checkpoint wait, and how often that is still possible
 * @throws Ben10Error LIMIT_EXCEEDED at L3, or the third time in an epoch; CONTEXT_NOT_FOUND if nothing is known of the context
 */
export function defer(
  project: Project,
  session: string,
  settings: MonitorSettings,
  points: number,
  source: Source,
) {
  const { percent, level, epoch } = viewOf(project, session, settings);
  if (percent === null)
    throw new Ben10Error('CONTEXT_NOT_FOUND', 'how full the context is, is not known yet', {
      next: 'Nothing is due before it is known.',
    });
  if (level === 'L3') throw refused('at L3 nothing is put off');
  const { deferrals } = useNow(project.states.at(contextUse, session).state);
  if (deferrals >= DEFERRALS_MAX) throw refused('it was put off twice already');
  const until = percent + points;
  const { recorder, writer } = project;
  const name = fact.monitor('defer', epoch, String(deferrals));
  const data = { level, epoch, until };
  writer.appendFirst(recorder.ownEvent('checkpoint.deferred', session, data, source, name));
  writeView(project, session, settings);
  return { level, percent, until, left: DEFERRALS_MAX - deferrals - 1 };
}

const refused = (why: string) =>
  new Ben10Error('LIMIT_EXCEEDED', why, { next: 'Hand off now: ben10 checkpoint --handoff' });

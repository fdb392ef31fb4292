import { fact } from '../events/identity.ts';
import type { Level } from '../events/types.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { contextUse, useNow } from '../projections/folds/context-use.ts';
import { alertText } from './advice.ts';
import { notLanded } from './landed.ts';
import { rankOf } from './levels.ts';
import { owed } from './mid-turn.ts';
import { isDeferred, type MonitorView } from './view.ts';
import { type Newest, viewOf, writeView } from './write-view.ts';

/** What the model is to be told of a level. */
export interface Alert {
  session: string;
  epoch: string;
  level: Level;
  text: string;
}

/**
 * Notes that the context came into another level, and has the model told of it once an epoch.
 * @param carrier the hook that prints the text; undefined where none may
 */
export function look(
  project: Project,
  session: string,
  settings: MonitorSettings,
  carrier?: string,
  newest: Newest = {},
): { text?: string; view: MonitorView } {
  const { view, alert } = noted(project, session, settings, newest);
  const text = alert && carrier && tell(project, alert, carrier);
  // Nothing is known before the first call.
  if (view.percent === null) return { view };
  const written = writeView(project, session, settings, newest);
  return { view: written, ...(text && { text }) };
}

/** As `look`, but for a text that is told later. */
export function lookAhead(
  project: Project,
  session: string,
  settings: MonitorSettings,
  newest: Newest,
): Alert | undefined {
  const { view, alert } = noted(project, session, settings, newest);
  if (view.percent !== null) writeView(project, session, settings, newest);
  return alert;
}

function noted(...[project, session, settings, newest]: Parameters<typeof lookAhead>): {
  view: MonitorView;
  alert?: Alert | undefined;
} {
  const view = viewOf(project, session, settings, newest);
  if (view.percent === null) return { view };
  noteLevel(project, view);
  const level = owed(view);
  const { epoch } = view;
  return {
    view,
    alert: level && { session, epoch, level, text: alertText(view, level, project.tracker.kind) },
  };
}

function noteLevel(project: Project, view: MonitorView): void {
  const { session, epoch, level: to, percent, tokens, window, l1, l2, l3 } = view;
  const { level: from, changes } = useNow(project.states.at(contextUse, session).state);
  if (from === to || percent === null) return;
  const data = { from, to, percent, tokens: tokens ?? 0, window, epoch, l1, l2, l3 };
  const name = fact.monitor('level', epoch, String(changes));
  const { recorder, writer } = project;
  writer.appendFirst(
    recorder.ownEvent(
      'context.level-changed',
      session,
      { ...data, ...(view.isCompactKnown && { forwardedBy: 'compaction' as const }) },
      'hook',
      name,
    ),
  );
}

/** Tells the highest level once more, if the transcript shows that the model did not get it. */
export function lookAgain(
  project: Project,
  view: MonitorView,
  transcript: string | undefined,
  carrier: string,
): string | undefined {
  const { session, epoch } = view;
  const { alerted } = useNow(project.states.at(contextUse, session).state);
  const level = notLanded(alerted, transcript);
  if (level === undefined || rankOf(view.level) < rankOf(level) || isDeferred(view))
    return undefined;
  const alert = { session, epoch, level, text: alertText(view, level, project.tracker.kind) };
  return tell(project, alert, carrier, 'again');
}

/** @returns the text, only to who appends its event first under the journal's lock */
export function tell(
  { recorder, writer }: Pick<Project, 'recorder' | 'writer'>,
  { session, epoch, level, text }: Alert,
  event: string,
  what = 'alert',
): string | undefined {
  const data = { level, epoch, event, to: 'model' as const, chars: text.length };
  const name = fact.monitor(what, epoch, level);
  const alert = recorder.ownEvent('context.alerted', session, data, 'hook', name);
  return writer.appendFirst(alert) === true ? text : undefined;
}

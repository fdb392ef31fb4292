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

export type Alert = ReturnType<typeof alertOf>;

/**
 * Notes that the context came into another level, and has the model told of it once an epoch.
 * @param carrier the hook that prints the text; without one the alert is told later, or not at all
 */
export function look(
  project: Project,
  session: string,
  settings: MonitorSettings,
  carrier?: string,
  newest: Newest = {},
): { view: MonitorView; alert?: Alert | undefined; text?: string | undefined } {
  const view = viewOf(project, session, settings, newest);
  // Nothing is known before the first call.
  if (view.percent === null) return { view };
  noteLevel(project, view);
  const level = owed(view);
  const alert = level && alertOf(project, view, level);
  const text = alert && carrier ? tell(project, alert, carrier) : undefined;
  return { view: writeView(project, session, settings, newest), alert, text };
}

/** What the model is to be told of a level. */
const alertOf = ({ tracker }: Project, view: MonitorView, level: Level) => ({
  session: view.session,
  epoch: view.epoch,
  level,
  text: alertText(view, level, tracker.kind),
});

function noteLevel({ recorder, writer, states }: Project, view: MonitorView): void {
  const { session, epoch, level: to, percent, tokens, window, l1, l2, l3 } = view;
  const { level: from, changes } = useNow(states.at(contextUse, session).state);
  if (from === to || percent === null) return;
  const marks = { l1, l2, l3, ...(view.isCompactKnown && { forwardedBy: 'compaction' as const }) };
  const data = { from, to, percent, tokens: tokens ?? 0, window, epoch, ...marks };
  const name = fact.monitor('level', epoch, String(changes));
  writer.appendFirst(recorder.ownEvent('context.level-changed', session, data, 'hook', name));
}

/** Tells the highest level once more, if the transcript shows that the model did not get it. */
export function lookAgain(
  project: Project,
  view: MonitorView,
  transcript: string | undefined,
  carrier: string,
): string | undefined {
  const { alerted } = useNow(project.states.at(contextUse, view.session).state);
  const level = notLanded(alerted, transcript);
  if (level === undefined || rankOf(view.level) < rankOf(level) || isDeferred(view))
    return undefined;
  return tell(project, alertOf(project, view, level), carrier, 'again');
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

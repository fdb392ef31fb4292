import { listInbox } from '../journal/append/inbox.ts';
import type { HookMoment, HookStep } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { cutOff, isOpen } from '../projections/cut-off.ts';
import { context } from '../projections/folds/context.ts';
import { recentSessions, type SessionRecord } from '../projections/folds/sessions.ts';
import { oneLine } from '../projections/safe-text.ts';
import { timeText } from './text.ts';

/** Of two that were killed at once both are told; beyond that the newest. */
const TOLD_MAX = 3;
/** Of a session's id: enough to name it as a point. */
const ID_CHARS = 8;
/** A new process of the client, which may follow one that was killed; the other starts go on in the same. */
const NEW_PROCESS = new Set(['startup', 'resume', 'fork']);

/** Tells the user at a session's start of the sessions before it that were cut off. */
export const tellRecovered: HookStep = {
  on: ['SessionStart'],
  failed: 'nobody looked for sessions that were cut off',
  before: wasCutOff,
  run(project, { session, source }, resumed) {
    if (!NEW_PROCESS.has(source ?? '')) return undefined;
    const all = Object.values(project.states.at(recentSessions, null).state.sessions);
    const own = all.filter((one) => resumed === true && one.session === session);
    const found = [...cutOff(all, session), ...own].slice(-TOLD_MAX);
    return found.length === 0
      ? undefined
      : found.map((one) => lineOf(project, one, one.session === session)).join('\n');
  },
};

/** Whether the session that is about to be resumed never ended: its new start covers that up. */
function wasCutOff(project: Project, { session, source }: HookMoment): boolean {
  if (source !== 'resume') return false;
  // Its end may wait there.
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
  const { state } = project.states.at(recentSessions, null);
  const known = fieldOf(state.sessions, session);
  return known !== undefined && isOpen(known);
}

function lineOf(project: Project, one: SessionRecord, isResumed: boolean): string {
  const { stored, events, last } = project.states.newerThanStored(context, one.session);
  // The session's own record does not count what its transcript told.
  const upto = Math.max(one.lastSeq, last);
  const id = oneLine(one.session).slice(0, ID_CHARS);
  const elsewhere = isResumed ? '' : ' (killed, or still open elsewhere)';
  const count = `${events} ${events === 1 ? 'event' : 'events'}`;
  const since =
    stored === 0
      ? `from ${count}: it has no checkpoint yet`
      : `with ${count} since its newest checkpoint @${stored}`;
  return `ben10: session ${id} never ended; last heard of ${timeText(one.lastAt)}${elsewhere}. Recovered from the journal: all of it up to event @${upto}, ${since}. ben10 replay @session:${id}:end shows it.`;
}

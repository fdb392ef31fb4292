import type { HookMoment, HookStep } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { cutOff, isOpen } from '../projections/cut-off.ts';
import { context } from '../projections/folds/context.ts';
import { recentSessions, type SessionRecord } from '../projections/folds/sessions.ts';
import { oneLine } from '../projections/safe-text.ts';
import { drainInbox } from './append.ts';
import { timeText } from './text.ts';

/** Several may be killed at once. */
const TOLD_MAX = 3;
const ID_CHARS = 8;
/** Starts in a new process, which may follow one that was killed. */
const NEW_PROCESS = new Set(['startup', 'resume', 'fork']);

/** At a session's start, tells the user which earlier sessions were cut off. */
export const tellRecovered: HookStep = {
  on: ['SessionStart'],
  failed: 'sessions that were cut off were not looked for',
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

/** Whether the resumed session never ended; its new start would hide that. */
function wasCutOff(project: Project, { session, source }: HookMoment): boolean {
  if (source !== 'resume') return false;
  drainInbox(project);
  const { state } = project.states.at(recentSessions, null);
  const known = fieldOf(state.sessions, session);
  return known !== undefined && isOpen(known);
}

function lineOf(project: Project, one: SessionRecord, isResumed: boolean): string {
  const { stored, events, last } = project.states.newerThanStored(context, one.session);
  // The record does not count events from transcripts.
  const upto = Math.max(one.lastSeq, last);
  const id = oneLine(one.session).slice(0, ID_CHARS);
  const elsewhere = isResumed ? '' : ' (it was killed, or is open elsewhere)';
  const count = `${events} ${events === 1 ? 'event' : 'events'}`;
  const since =
    stored === 0
      ? `from ${count}; it has no checkpoint yet`
      : `with ${count} since its checkpoint @${stored}`;
  return `ben10: session ${id} did not end; its last activity was at ${timeText(one.lastAt)}${elsewhere}. All of it up to event @${upto} was recovered from the journal, ${since}. To see it: ben10 replay @session:${id}:end`;
}

import type { HookMoment } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { resumeText } from './resume.ts';
import { finishCheckpoints, type Taken, takeCheckpoint } from './take.ts';

// Apart, because most turns need none of it: `hook-handoff.cjs`.

/** For git; the document and the states need the rest of the hook's time. */
const GIT_MS = 2000;
/** Behind the time for reading transcripts. */
const ROOM_MS = 1500;

const TRIGGERS = {
  Stop: 'turn-end',
  StopFailure: 'turn-end',
  PreCompact: 'pre-compact',
  SessionEnd: 'session-end',
  PostToolUse: 'alert',
} as const;

const gitMsAt = ({ readUntil }: HookMoment): number =>
  Math.min(GIT_MS, readUntil + ROOM_MS - Date.now());

/** @returns a line for the user */
export function takeAtHook(project: Project, moment: HookMoment): string | undefined {
  const { session, cwd, config } = moment;
  const trigger = TRIGGERS[moment.event as keyof typeof TRIGGERS];
  const asked = { session, cwd, trigger, source: 'hook', waitMs: 0 } as const;
  const taken = takeCheckpoint(project, { ...asked, gitMs: gitMsAt(moment) }, config);
  return taken && noticeOf(taken);
}

/** @returns lines for the user */
export function finishAtHook(project: Project, moment: HookMoment): string | undefined {
  const asked = { source: 'hook', gitMs: gitMsAt(moment), waitMs: 0 } as const;
  return finishCheckpoints(project, asked, moment.config).map(noticeOf).join('\n') || undefined;
}

function noticeOf({ file, wip, notCommitted, resume }: Taken): string {
  const committed = wip && `; work in progress: ${wip.commit.slice(0, 12)} on ${oneLine(wip.ref)}`;
  const not = notCommitted && `; work in progress was not committed: ${oneLine(notCommitted)}`;
  return `ben10: handoff ${oneLine(file)}${committed ?? not ?? ''}. Next session: ${resume}`;
}

export { resumeText };

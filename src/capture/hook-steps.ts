import type { HookStep } from '../project/doors.ts';
import { AWAITED_BYTES_MAX, reconcileSession, reconcileUnfinished } from './reconcile-session.ts';

/** Records what no hook delivered of the session. */
export const readTranscript: HookStep = {
  on: ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'PreCompact', 'SessionEnd'],
  failed: 'the transcript was not read',
  run(project, moment) {
    const { event, session, source, transcript, isAwaited, readUntil: deadline } = moment;
    if (transcript === undefined) return undefined;
    moment.read.isWhole = false;
    // A compaction is answered with everything that came before it.
    const isShort = (isAwaited && source !== 'compact') || event === 'SessionEnd';
    const reading = { deadline, bytesMax: isShort ? AWAITED_BYTES_MAX : undefined };
    moment.read = reconcileSession(project, session, transcript, reading);
    if (event === 'SessionEnd' && !moment.read.isWhole) moment.left.push({ session, transcript });
    return undefined;
  },
};

/** The same for sessions that never ended; not at a compaction, which is no new process. */
export const readUnfinished: HookStep = {
  on: ['SessionStart'],
  failed: 'the transcripts of earlier sessions were not read',
  run(project, { session, source, readUntil, left }) {
    if (source !== 'compact') left.push(...reconcileUnfinished(project, session, readUntil));
    return undefined;
  },
};

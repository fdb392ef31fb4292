import type { HookStep } from '../project/doors.ts';
import { AWAITED_BYTES_MAX, reconcileSession, reconcileUnfinished } from './reconcile-session.ts';

/** Brings in what no hook delivered of the session. */
export const readTranscript: HookStep = {
  on: ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'PreCompact', 'SessionEnd'],
  failed: 'the transcript was not read',
  run(project, moment) {
    const { event, session, source, transcript, isAwaited, readUntil: deadline } = moment;
    if (transcript === undefined) return undefined;
    moment.read.isWhole = false;
    // A compaction is answered with all that was held before it.
    const isShort = (isAwaited && source !== 'compact') || event === 'SessionEnd';
    const reading = { deadline, bytesMax: isShort ? AWAITED_BYTES_MAX : undefined };
    moment.read = reconcileSession(project, session, transcript, reading);
    return undefined;
  },
};

/** The same of sessions that never ended. A compaction goes on in the same process: who was killed is for the next one to look after. */
export const readUnfinished: HookStep = {
  on: ['SessionStart'],
  failed: 'the transcripts of earlier sessions were not read',
  run(project, { session, source, readUntil }) {
    if (source !== 'compact') reconcileUnfinished(project, session, readUntil);
    return undefined;
  },
};

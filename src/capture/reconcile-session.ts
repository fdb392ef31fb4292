import { readManifest } from '../journal/format/manifest.ts';
import { readHookConfigFile } from '../platform/hook-config-file.ts';
import { pausesIn } from '../platform/pauses.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { asOneReader } from './one-reader.ts';
import { reconcile } from './reconcile.ts';
import { SessionFacts } from './session-facts.ts';
import { sessionTranscripts } from './transcripts.ts';

/** Earlier sessions that a start reads: the newest that never ended, or were left unread. */
const UNFINISHED_MAX = 3;

/**
 * Bytes that are read while the client waits, more than a turn has; the rest is read at the turn's end. Bytes and
 * not time, so that the injected text is the same on any machine.
 */
export const AWAITED_BYTES_MAX = 1024 * 1024;

export interface Reading {
  /** Milliseconds since the epoch. */
  deadline: number;
  /** Of all transcripts of the session together; undefined for no limit. */
  bytesMax?: number | undefined;
  /** Stops after an append if another reader waits. */
  givesWay?: boolean;
}

/** How many facts were added, and whether that was all. */
export interface BroughtIn {
  added: number;
  isWhole: boolean;
  /** Another process was reading all the time. */
  isBusy?: true;
}

/** Records what no hook delivered of a session, its sub-agents included, as far as it may. */
export function reconcileSession(
  project: Project,
  session: string,
  transcript: string,
  reading: Reading,
): BroughtIn {
  const { deadline, bytesMax, givesWay } = reading;
  const { clock } = project.ports;
  const read = (isAwaited: () => boolean) => {
    const hasToStop = () => clock.now() >= deadline || (givesWay === true && isAwaited());
    return readAll(project, session, transcript, bytesMax, hasToStop);
  };
  return (
    asOneReader(project, deadline, read, givesWay) ?? {
      added: 0,
      isWhole: false,
      isBusy: true,
    }
  );
}

function readAll(
  project: Project,
  session: string,
  transcript: string,
  bytesMax: number | undefined,
  hasToStop: () => boolean,
): BroughtIn {
  const { ports, reader, recorder, states } = project;
  const isErased = readManifest(ports, project.layout)?.erasureEpoch !== 0;
  const pauses = pausesIn(readHookConfigFile(`${project.dir}/${BEN10_DIR}`));
  let added = 0;
  let left = bytesMax;
  for (const source of sessionTranscripts(ports.fs, transcript, session)) {
    if (hasToStop()) return { added, isWhole: false };
    const done = reconcile({
      ports,
      reader,
      recorder,
      cursors: states.at(cursors, session).state,
      ...source,
      source: 'transcript',
      hasToStop,
      bytesMax: left,
      pauses,
      sessions: new SessionFacts(reader, isErased ? undefined : states),
    });
    if (done === undefined) continue;
    added += done.added;
    if (!done.complete) return { added, isWhole: false };
    if (left !== undefined) left = Math.max(0, left - (done.to - done.from));
  }
  return { added, isWhole: true };
}

/**
 * A killed client reported no end, and the end of a long session may have run out of time: the next start reads
 * what their transcripts still hold.
 * @returns those that it did not read to the end
 */
export function reconcileUnfinished(
  project: Project,
  session: string,
  deadline: number,
): { session: string; transcript: string }[] {
  const { state } = project.states.at(recentSessions, null);
  const open = Object.values(state.sessions).filter(
    ({ session: id, endedAt, isUnread, transcriptPath }) =>
      id !== session && (endedAt === null || isUnread) && transcriptPath !== null,
  );
  const reading = { deadline, bytesMax: AWAITED_BYTES_MAX };
  return open.slice(-UNFINISHED_MAX).flatMap(({ session: id, transcriptPath }) => {
    const transcript = transcriptPath!;
    const { isWhole, isBusy } = reconcileSession(project, id, transcript, reading);
    return isWhole || isBusy ? [] : [{ session: id, transcript }];
  });
}

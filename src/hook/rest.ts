import { reconcileSession } from '../capture/reconcile-session.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { READ_ON } from './read-on.ts';

/** How long the reading process may run, milliseconds; the next session start goes on. */
export const REST_MS = 60_000;
/** Bytes after which the states are stored. */
const PART_BYTES = 8 * 1024 * 1024;
/** Others that wait to read check every few milliseconds. */
const PAUSE_MS = 25;

/**
 * Starts a process that reads what a session's end left: the client kills a slow hook, but not that process. If it
 * fails nothing is lost: the journal says how far the transcript was read. Normal priority, for others may wait for
 * its locks.
 */
export function handOver(dir: string, session: string, transcript: string): void {
  // Few hooks need it, and it is slow to load.
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const args = [`${__dirname}/ben10.cjs`, READ_ON, dir, session, transcript];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true });
  } catch {
    // A text that cannot be an argument.
  }
}

/**
 * Reads a session's transcripts to their end and stores its states. Waiting readers go first.
 * @param until milliseconds since the epoch
 */
export function readRest(
  project: Project,
  session: string,
  transcript: string,
  until: number,
): void {
  const { clock } = project.ports;
  const reading = { deadline: until, givesWay: true, bytesMax: PART_BYTES };
  while (clock.now() < until) {
    const { added, isWhole } = reconcileSession(project, session, transcript, reading);
    // On the way, too: a hook may come meanwhile.
    if (added > 0 || isWhole) storeStates(project, session, isWhole);
    if (isWhole) return;
    clock.sleep(PAUSE_MS);
  }
}

/** Stores the states, so that the next process folds little. */
export function storeStates(project: Project, session: string, isEnd: boolean): void {
  project.states.keepAhead(context, session);
  project.states.keepAhead(evidence, session);
  if (isEnd) project.states.at(sessions, null);
}

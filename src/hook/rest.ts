import { reconcileSession } from '../capture/reconcile-session.ts';
import type { Project } from '../project/open.ts';
import { context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { READ_ON } from './read-on.ts';

/** How long a process reads on that nobody waits for, milliseconds: what is left then the next start goes on with. */
export const REST_MS = 60_000;
/** Somebody who waits to read looks every few milliseconds. */
const PAUSE_MS = 25;

/**
 * Has a process of its own read what a session's end leaves: the client waits for its hook, and kills what it waited for too long. That process
 * outlives the client. Where it cannot be started, or is killed, nothing is lost: the journal says how far the transcript was
 * read. At the usual priority, for others may wait for the locks that it holds.
 */
export function handOver(dir: string, session: string, transcript: string): void {
  // Hardly any hook needs it, and Node takes its time to load it.
  const { spawn } = process.getBuiltinModule('node:child_process');
  try {
    const args = [`${__dirname}/ben10.cjs`, READ_ON, dir, session, transcript];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true });
  } catch {
    // A name that is no argument.
  }
}

/**
 * Reads a session's transcripts to their end, and stores its states. Whoever waits to read meanwhile goes first.
 * @param until milliseconds since the epoch
 */
export function readRest(
  project: Project,
  session: string,
  transcript: string,
  until: number,
): void {
  const { clock } = project.ports;
  const reading = { deadline: until, givesWay: true };
  while (clock.now() < until) {
    if (reconcileSession(project, session, transcript, reading).isWhole) {
      storeStates(project, session, true);
      return;
    }
    clock.sleep(PAUSE_MS);
  }
}

/** The states so far, so that the next process folds little. */
export function storeStates(project: Project, session: string, isEnd: boolean): void {
  project.states.keepAhead(context, session);
  project.states.keepAhead(evidence, session);
  if (isEnd) project.states.at(sessions, null);
}

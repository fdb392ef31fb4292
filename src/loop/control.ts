import type { LoopLimits, LoopStarted } from '../events/types.ts';
import type { LockFile } from '../journal/append/locking.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import type { LoopRecord } from '../projections/folds/loops.ts';
import { append } from './append.ts';
import { holdWorktree } from './hold.ts';
import { allLoops } from './of-project.ts';

const LIMIT_NEXT = 'How it stands: ben10 loop status. To end it: ben10 loop stop';

/** What a loop's process holds until it ends. @throws Ben10Error CONTEXT_LOCKED if another one runs in the worktree */
function hold(project: Project, worktree: string): LockFile {
  const held = holdWorktree(project, worktree);
  if (held !== undefined) return held;
  const [other] = othersIn(project, worktree);
  const which = other === undefined ? 'a loop' : `loop ${other.loop}`;
  throw new Ben10Error('CONTEXT_LOCKED', `${which} runs in this worktree already`, {
    next: LIMIT_NEXT,
  });
}

const othersIn = (project: Project, worktree: string, own?: string): LoopRecord[] =>
  allLoops(project).filter(
    (one) => one.worktree === worktree && one.stopped === null && one.loop !== own,
  );

/** Its client may still live, so nobody else may start one. @throws Ben10Error CONTEXT_LOCKED */
function refuseBeside(project: Project, worktree: string, own?: string): void {
  const [other] = othersIn(project, worktree, own);
  if (other === undefined) return;
  const what = `loop ${other.loop} of this worktree was killed before its end`;
  throw new Ben10Error('CONTEXT_LOCKED', what, {
    next: `To go on with it: ben10 loop resume. To end it: ben10 loop stop`,
  });
}

interface Held {
  loop: string;
  lock: LockFile;
}

/** @throws Ben10Error CONTEXT_LOCKED */
export function startLoop(project: Project, given: Omit<LoopStarted, 'loop'>): Held {
  const lock = hold(project, given.worktree);
  try {
    refuseBeside(project, given.worktree);
    const loop = randomHex(project.ports.random, 8);
    append(project, 'loop.started', null, { loop, ...given });
    return { loop, lock };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** @param limits what is to be different from now on @throws Ben10Error CONTEXT_LOCKED */
export function resumeLoop(project: Project, found: LoopRecord, limits: Partial<LoopLimits>): Held {
  const { loop, worktree } = found;
  const lock = hold(project, worktree);
  try {
    refuseBeside(project, worktree, loop);
    append(project, 'loop.resumed', null, { loop, limits: { ...found.limits, ...limits } });
    return { loop, lock };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Ends a loop: its process sees the event, interrupts its client and takes the checkpoint. */
export const stopLoop = (project: Project, loop: string): void =>
  append(project, 'loop.stopped', null, { loop, reason: 'stopped' });

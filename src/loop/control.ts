import type { LoopLimits, LoopStarted } from '../events/types.ts';
import type { LockFile } from '../journal/append/locking.ts';
import { Ben10Error } from '../platform/errors.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import type { LoopRecord } from '../projections/folds/loops.ts';
import { append } from './append.ts';
import { holdWorktree } from './hold.ts';
import { allLoops } from './of-project.ts';

/** A loop that this process holds. */
export interface Held {
  loop: string;
  lock: LockFile;
}

/** @throws Ben10Error CONTEXT_LOCKED */
export const startLoop = (project: Project, given: Omit<LoopStarted, 'loop'>): Held => {
  const loop = randomHex(project.ports.random, 8);
  return begun(project, { loop, worktree: given.worktree }, () =>
    append(project, 'loop.started', null, { loop, ...given }),
  );
};

/** @param limits what is to be different from now on @throws Ben10Error CONTEXT_LOCKED */
export const resumeLoop = (
  project: Project,
  found: LoopRecord,
  limits: Partial<LoopLimits>,
): Held =>
  begun(project, found, () => {
    const { loop } = found;
    append(project, 'loop.resumed', null, { loop, limits: { ...found.limits, ...limits } });
  });

/** One loop in a worktree: also beside one that was killed none may start, for its client may still live. */
function begun(
  project: Project,
  { loop, worktree }: Pick<LoopRecord, 'loop' | 'worktree'>,
  begin: () => void,
): Held {
  const lock = holdWorktree(project, worktree);
  const other = allLoops(project).find(
    (one) => one.worktree === worktree && one.stopped === null && (one.loop !== loop || !lock),
  );
  try {
    if (lock === undefined)
      throw locked(
        `${other === undefined ? 'a loop' : `loop ${other.loop}`} runs in this worktree already`,
        'How it stands: ben10 loop status. To end it: ben10 loop stop',
      );
    if (other !== undefined)
      throw locked(
        `loop ${other.loop} of this worktree was killed before its end`,
        'To go on with it: ben10 loop resume. To end it: ben10 loop stop',
      );
    begin();
    return { loop, lock };
  } catch (error) {
    lock?.close();
    throw error;
  }
}

const locked = (what: string, next: string): Ben10Error =>
  new Ben10Error('CONTEXT_LOCKED', what, { next });

/** Ends a loop: its process sees the event, interrupts its client and takes the checkpoint. */
export const stopLoop = (project: Project, loop: string): void =>
  append(project, 'loop.stopped', null, { loop, reason: 'stopped' });

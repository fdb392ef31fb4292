import { fact } from '../events/identity.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import { within } from '../platform/programs/run-now.ts';
import type { Project } from '../project/open.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { NotDone } from './repository.ts';
import { undoWip } from './wip.ts';

const GIT_MS = 10_000;

/** Takes the newest commit of work in progress in this worktree back. @throws Ben10Error NOTHING_TO_UNDO, with the reason */
export function undoCheckpoint(
  project: Project,
  cwd: string,
): { checkpoint: string; commit: string } {
  const { dir, worktree } = placeOf(project.dir, cwd);
  const { checkpoints } = project.states.at(handoffs, null).state;
  const [newest] = Object.values(checkpoints)
    .filter((one) => one.worktree === worktree && one.wip?.isUndone === false)
    .sort((a, b) => b.seq - a.seq);
  try {
    if (newest === undefined) throw new NotDone('no checkpoint committed anything here');
    const { checkpoint, session, wip } = newest;
    undoWip(dir, wip!, within(GIT_MS));
    const undone = { checkpoint, commit: wip!.commit };
    const { recorder } = project;
    const name = fact.monitor('wip.undone', checkpoint, undone.commit);
    recorder.append([recorder.ownEvent('wip.undone', session, undone, 'cli', name)]);
    return undone;
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
    throw new Ben10Error('NOTHING_TO_UNDO', `nothing was taken back: ${error.message}`, {
      next: 'What was committed: git log -1, or git for-each-ref refs/ben10/wip',
    });
  }
}

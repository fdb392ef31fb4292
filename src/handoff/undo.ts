import { fact } from '../events/identity.ts';
import type { WipCommitted } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import { within } from '../platform/programs/run-now.ts';
import type { Project } from '../project/open.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { eventAt } from './files.ts';
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
    .filter((one) => one.worktree === worktree && one.wip !== null && !one.wip.isUndone)
    .sort((a, b) => b.seq - a.seq);
  const event = newest?.wip && eventAt(project, newest.wip.seq);
  if (event == null) throw refused('no checkpoint committed anything here');
  const wip = event.data as WipCommitted;
  try {
    undoWip(dir, wip, within(GIT_MS));
  } catch (error) {
    throw error instanceof NotDone ? refused(error.message) : error;
  }
  const { checkpoint, commit } = wip;
  const { recorder } = project;
  const name = fact.monitor('wip.undone', checkpoint, commit);
  recorder.append([
    recorder.ownEvent('wip.undone', event.session, { checkpoint, commit }, 'cli', name),
  ]);
  return { checkpoint, commit };
}

const refused = (why: string) =>
  new Ben10Error('NOTHING_TO_UNDO', `nothing was taken back: ${why}`, {
    next: 'What was committed: git log -1, or git for-each-ref refs/ben10/wip',
  });

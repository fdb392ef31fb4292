import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { context } from '../projections/folds/context.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { workspace } from '../projections/folds/workspace.ts';
import type { Cut } from '../projections/gather.ts';
import type { Recorded } from './collectors/collector.ts';
import { type Place, placeOf } from './place.ts';

/** What went on in the sessions before is of less and less use. */
const SESSIONS_MAX = 3;

/**
 * What the journal knows of a worktree at a cut; folded once, when it is first asked for.
 * @param session the one that is spoken to, if that is known
 */
export function recordedAt(
  project: Project,
  place: Place,
  { cut = {}, session }: { cut?: Cut; session?: string | undefined } = {},
): () => Recorded {
  let found: Recorded | undefined;
  return () => {
    found ??= {
      worktree: fieldOf(project.states.at(workspace, null, cut).state.worktrees, place.worktree),
      contexts: sessionsIn(project, place, cut, session).map(
        (one) => project.states.at(context, one, cut).state,
      ),
    };
    return found;
  };
}

function sessionsIn(
  project: Project,
  { worktree }: Place,
  cut: Cut,
  asked: string | undefined,
): string[] {
  const { state } = project.states.at(recentSessions, null, cut);
  const inside = Object.values(state.sessions)
    .filter(({ cwd, prompts, toolCalls }) => {
      return (
        prompts + toolCalls > 0 && placeOf(project.dir, cwd ?? undefined).worktree === worktree
      );
    })
    .sort((a, b) => b.lastAt - a.lastAt)
    .map(({ session }) => session);
  const known = asked === undefined ? inside : [asked, ...inside.filter((one) => one !== asked)];
  return known.slice(0, SESSIONS_MAX);
}

import { type Place, placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { type WorktreeState, workspace } from '../projections/folds/workspace.ts';
import type { Cut } from '../projections/gather.ts';
import { withoutExcluded } from '../projections/without-excluded.ts';
import type { Recorded } from './collectors/collector.ts';

/** Older sessions are of less and less use. */
const SESSIONS_MAX = 3;

interface RecordedOptions {
  cut?: Cut;
  /** The current session, if known. */
  session?: string | undefined;
  /** Where that session's own context ends, if not at the cut. */
  own?: Cut | undefined;
}

/** What the journal knows of a worktree at a cut; folded on first use. */
export function recordedAt(
  project: Project,
  place: Place,
  { cut = {}, session, own = cut }: RecordedOptions = {},
): () => Recorded {
  let found: Recorded | undefined;
  return () => {
    found ??= {
      worktree: worktreeAt(project, place, cut),
      contexts: remembered(() => contextsAt(project, place, { cut, session, own })),
    };
    return found;
  };
}

/** As recorded, without working files that are excluded now. */
export function worktreeAt(
  { states, excludedBy }: Project,
  { worktree }: Place,
  cut: Cut = {},
): WorktreeState | undefined {
  const found = fieldOf(states.at(workspace, null, cut).state.worktrees, worktree);
  if (!found?.work) return found;
  const workingFiles = found.work.workingFiles.filter((file) => excludedBy(file) === undefined);
  return { ...found, work: { ...found.work, workingFiles } };
}

function* contextsAt(
  project: Project,
  place: Place,
  { cut = {}, session, own = cut }: RecordedOptions,
): Generator<ContextState> {
  for (const one of sessionsIn(project, place, cut, session))
    yield withoutExcluded(
      project.states.at(context, one, one === session ? own : cut).state,
      project.excludedBy,
    );
}

/** A generator's values, each made once and on demand. */
function remembered<T>(make: () => Generator<T>): Iterable<T> {
  const known: T[] = [];
  let rest: Generator<T> | undefined;
  return {
    *[Symbol.iterator]() {
      for (let index = 0; ; index += 1) {
        if (index === known.length) {
          rest ??= make();
          const next = rest.next();
          if (next.done) return;
          known.push(next.value);
        }
        yield known[index]!;
      }
    },
  };
}

function sessionsIn(
  project: Project,
  { worktree }: Place,
  cut: Cut,
  asked: string | undefined,
): string[] {
  const { state } = project.states.at(recentSessions, null, cut);
  const sessions = Object.values(state.sessions).filter(
    ({ prompts, toolCalls }) => prompts + toolCalls > 0,
  );
  // Many sessions, few folders: the disk is asked once for each.
  const folders = new Set(sessions.map(({ cwd }) => cwd));
  for (const cwd of folders)
    if (placeOf(project.dir, cwd ?? undefined).worktree !== worktree) folders.delete(cwd);
  const inside = sessions
    .filter(({ cwd }) => folders.has(cwd))
    .sort((a, b) => b.lastAt - a.lastAt)
    .map(({ session }) => session);
  const known = asked === undefined ? inside : [asked, ...inside.filter((one) => one !== asked)];
  return known.slice(0, SESSIONS_MAX);
}

import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type EvidenceState, evidence } from '../projections/folds/evidence.ts';
import type { Task } from '../projections/folds/tasks.ts';
import { type WorkState, workspace } from '../projections/folds/workspace.ts';
import { outcomeText } from '../projections/outcome/words.ts';
import { Excluding } from '../projections/without-excluded.ts';
import type { Item } from '../recall/item.ts';
import { itemsOf } from '../recall/sessions-before.ts';
import { type Weighed, withWorth } from '../recall/worth.ts';
import { type Clean, cleaner } from '../workspace/clean.ts';
import { Tree } from './tree.ts';

/** What the journal knows of a session's work at a point: a document is made of it, and verified against it. */
export interface Gathered {
  project: Project;
  /** As it is now. */
  tree: Tree;
  clean: Clean;
  session: string;
  upto: number;
  state: ContextState;
  known: EvidenceState;
  /** Most of what is worth saying: files, tasks and bare names are apart. */
  items: Weighed[];
  tasks: Task[];
  /** What this session saved of its work; null if nothing. */
  work: WorkState | null;
}

const APART: ReadonlySet<Item['kind']> = new Set(['file', 'task', 'mention', 'disk']);

/** The same journal gives the same again: nothing behind `upto` counts. */
export function gather(
  project: Project,
  { session, worktree, upto }: { session: string; worktree: string; upto: number },
): Gathered {
  const { states, excludedBy } = project;
  const cut = { upto };
  const recorded = states.at(context, session, cut).state;
  const excluding = new Excluding(recorded, excludedBy);
  const state = excluding.context(recorded);
  const known = excluding.evidence(states.at(evidence, session, cut).state);
  const items = withWorth(itemsOf(project, [session], cut, []));
  const { work = null } = fieldOf(states.at(workspace, null, cut).state.worktrees, worktree) ?? {};
  return {
    project,
    tree: new Tree(project, worktree),
    clean: cleaner(project.redact),
    session,
    upto,
    state,
    known,
    items: items.filter(({ kind }) => !APART.has(kind)),
    // One that another agent made has no words here.
    tasks: Object.values(state.tasks.tasks).filter(
      ({ status, subject }) => status !== 'deleted' && subject !== '',
    ),
    work: work !== null && work.at >= (state.createdAt ?? 0) ? work : null,
  };
}

/** A command, and how it ended by the one judge of outcomes. @param seq of the event that tells it */
export function endedAt({ state, known }: Pick<Gathered, 'state' | 'known'>, seq: number) {
  const run = state.tools.runs.find((one) => one.outcomeSeq === seq);
  const kept = Object.values(known.outcomes).find((one) => one.seq === seq);
  const outcome = run === undefined || run.outcome === 'open' ? kept?.verdict : run.outcome;
  const found = run ?? kept;
  if (found === undefined || outcome === undefined) return undefined;
  const { name, about: command, exitCode } = found;
  return { name, command, how: outcomeText(outcome, exitCode) };
}

import type { CheckpointBegun } from '../events/types.ts';
import { estimateOf } from '../monitor/estimate.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { context } from '../projections/folds/context.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { taskSizes } from '../projections/folds/task-sizes.ts';
import { cleaner } from '../workspace/clean.ts';
import { eventAt } from './at-seq.ts';
import { changedIn, linesChanged } from './files.ts';
import { textIn } from './next-steps.ts';
import { Tree } from './tree.ts';

/** What a session was at: the files of its last changes, and the todo in work. */
interface InProgress {
  files: { path: string; lines: string | null }[];
  item: string | null;
  /** `70%` */
  progress: string | null;
  /** Of the work, in the agent's words. */
  summary: string | null;
}

const FILES_MAX = 5;
const CHARS = 200;
/** Estimates are no proof that something is done. */
const PERCENT_MAX = 95;
/** A hook has no time to learn from more. */
const SESSIONS_LEARNT = 4;
const SAID = /\b(\d{1,2}|100) ?% (?:complete|done|finished)\b/i;

export function inProgress(
  project: Project,
  session: string,
  worktree: string,
  handoff?: Handoff,
): InProgress {
  const clean = cleaner(project.redact);
  const tree = new Tree(project, worktree);
  const { state } = project.states.at(context, session);
  const changed = changedIn(tree, state.files).filter(
    ({ name }) => project.excludedBy(name) === undefined,
  );
  const files = changed.slice(0, FILES_MAX).map(({ name, seq }) => {
    const lines = linesChanged(project, seq).join(', ').replaceAll('–', '-');
    return { path: clean(name, CHARS), lines: lines === '' ? null : lines };
  });
  const begun = handoff && (eventAt(project, handoff.seq)?.data as CheckpointBegun | undefined);
  const words = [textIn(begun?.summary), textIn(begun?.note)].map((one) => clean(one, CHARS));
  const todo = Object.values(state.tasks.tasks).find(({ status }) => status === 'in_progress');
  const step = handoff?.handoff.nextSteps[0];
  const item = clean(todo?.subject ?? step ?? '', CHARS) || null;
  const said = [...words, item ?? ''].map((one) => SAID.exec(one)?.[1]).find(Boolean);
  return {
    files,
    item,
    progress: said !== undefined ? `${said}%` : todo ? spentOn(project, session, todo.id) : null,
    summary: words.find(Boolean) ?? step ?? null,
  };
}

function spentOn(project: Project, session: string, id: string): string | null {
  const open = fieldOf(project.states.at(taskSizes, session).state.open, id);
  if (open === undefined || open.tokens === 0) return null;
  const where = { project, settings: { window: 0 } };
  const { tokens } = estimateOf(where, open.words, { sessions: SESSIONS_LEARNT });
  return `${Math.min(PERCENT_MAX, Math.round((100 * open.tokens) / tokens))}%`;
}

import path from 'node:path';
import { readView } from '../monitor/view.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { handoffs, handoffsOf } from '../projections/folds/handoffs.ts';
import { type IterationRecord, type LoopRecord, loops } from '../projections/folds/loops.ts';
import { inProgress } from './in-progress.ts';
import { writeUserFile } from './user-file.ts';

export const LOOP_FILE = '.claude/ralph-state.json';

/** Writes how a loop stands for other tools. Nothing reads it back, so a loop goes on where it cannot be written. */
export function exportLoop(project: Project, name: string): void {
  const loop = fieldOf(project.states.at(loops, null).state.loops, name);
  if (loop === undefined) return;
  const text = `${JSON.stringify(loopStateOf(project, loop), null, 2)}\n`;
  try {
    writeUserFile(path.resolve(project.dir, loop.worktree), LOOP_FILE, text, false);
  } catch (error) {
    if (!(error instanceof Ben10Error)) throw error;
  }
}

function loopStateOf(project: Project, loop: LoopRecord) {
  const { iterations, worktree, limits, stopped } = loop;
  const newest = iterations.at(-1);
  const sessions = new Set(iterations.map(({ session }) => session));
  const handoff = handoffsOf(project.states.at(handoffs, null).state).find(
    (one) => one.session !== null && sessions.has(one.session),
  );
  const session = handoff?.session ?? newest?.session;
  const at = session ? inProgress(project, session, worktree, handoff) : undefined;
  return {
    loop: loop.loop,
    iteration: newest?.n ?? 0,
    max_iterations: limits.max,
    stopped: stopped?.reason ?? null,
    context_checkpoint: {
      // Until an iteration went on from it.
      active: handoff !== undefined && handoff.session === newest?.session,
      level: handoff?.level ?? null,
      percent_at_checkpoint: handoff?.percent ?? null,
      timestamp: handoff ? new Date(handoff.handoff.at).toISOString() : null,
      handoff_file: handoff?.handoff.file ?? null,
      resume_summary: at?.summary ?? null,
      files_in_progress: at?.files ?? [],
      current_todo_item: at?.item ?? null,
      progress_on_item: at?.progress ?? null,
    },
    context_history: iterations.map((one) => ({
      iteration: one.n,
      peak_percent: peakOf(project, one),
      checkpoint: handoffOf(project, one) !== undefined,
    })),
  };
}

/** Of one that runs: as full as it is now. */
export function peakOf({ root }: Project, { end, session }: IterationRecord): number | null {
  if (end?.peak !== undefined || session === undefined) return end?.peak ?? null;
  return readView(root, session)?.percent ?? null;
}

/** The one that an iteration ended with. */
export const handoffOf = (project: Project, { end, session }: IterationRecord) =>
  handoffsOf(project.states.at(handoffs, null).state).find((one) =>
    end?.handoffOut === undefined
      ? session && one.session === session
      : one.checkpoint === end.handoffOut,
  );

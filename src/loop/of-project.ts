import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoopStarted } from '../events/types.ts';
import { eventAt } from '../handoff/at-seq.ts';
import { handoffOf, peakOf } from '../handoff/exported-loop.ts';
import { allHandoffs, nameOf } from '../handoff/of-project.ts';
import { withBlobs } from '../log/blobs.ts';
import { readView } from '../monitor/view.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import {
  type IterationRecord,
  type LoopRecord,
  leftIn,
  loops,
  loopsOf,
} from '../projections/folds/loops.ts';
import { drainInbox } from '../timetravel/append.ts';
import { isHeld } from './hold.ts';

/** A loop of the client's own plugin: shown, never changed. */
const OFFICIAL = '.claude/ralph-loop.local.md';

/** The newest first. */
export function allLoops(project: Project): LoopRecord[] {
  drainInbox(project);
  return loopsOf(project.states.at(loops, null).state);
}

/** As it is now. */
export const loopNow = (project: Project, loop: string): LoopRecord =>
  allLoops(project).find((one) => one.loop === loop)!;

/** @param id the start of a loop's name; by default the newest of this worktree @throws Ben10Error CONTEXT_NOT_FOUND */
export function findLoop(project: Project, cwd: string, id?: string): LoopRecord {
  const { worktree } = placeOf(project.dir, cwd);
  const found = allLoops(project).find((one) =>
    id === undefined ? one.worktree === worktree : one.loop.startsWith(id),
  );
  if (found !== undefined) return found;
  throw new Ben10Error(
    'CONTEXT_NOT_FOUND',
    id === undefined ? 'there was no loop in this worktree yet' : `there is no loop "${id}"`,
    { next: 'All loops: ben10 loop list. To start one: ben10 loop run PROMPT.md' },
  );
}

/** The words of the task, as the journal has them; redacted. */
export function taskText(project: Project, { seq }: LoopRecord): string {
  const event = eventAt(project, seq);
  const { text } = (withBlobs(project, event?.data ?? {}) ?? {}) as Partial<LoopStarted>;
  return typeof text === 'string' ? text : '';
}

/** How a loop stands, with keys that stay. */
export function loopData(project: Project, loop: LoopRecord) {
  const { loop: name, worktree, at, spent, limits, client, stopped } = loop;
  const newest = loop.iterations.at(-1);
  const state = stopped?.reason ?? (isHeld(project, worktree) ? 'running' : 'killed');
  return {
    ...{ loop: name, worktree, state },
    task: loop.file ?? taskText(project, loop),
    ...{ at, ...spent, limits, client },
    newest: newest === undefined ? null : iterationData(project, newest),
    official: existsSync(path.resolve(project.dir, worktree, OFFICIAL)) ? OFFICIAL : null,
  };
}

/** What an iteration took and left; handoffs by name. */
export function iterationData(project: Project, one: IterationRecord) {
  const { n, session = null, at, tree = null } = one;
  const end: Partial<NonNullable<IterationRecord['end']>> = one.end ?? {};
  const { outcome = null, exit = null, isPromised = null, checks = [] } = end;
  const { tokens = null, costUsd = null, todos = null } = end;
  const handed = allHandoffs(project).find(({ checkpoint }) => checkpoint === one.handoffIn);
  const out = handoffOf(project, one);
  return {
    ...{ n, session, at, peak: peakOf(project, one) },
    ...{ outcome, exit, isPromised, checks, tokens, costUsd, todos },
    treeBefore: tree,
    treeAfter: end.tree ?? null,
    handoffIn: handed === undefined ? null : nameOf(handed),
    handoffOut: out === undefined ? null : nameOf(out),
    level: out?.level ?? null,
  };
}

/** How full the contexts of its iterations were, and how many more its limits leave room for. */
export function contextOf(project: Project, loop: LoopRecord) {
  const newest = loop.iterations.at(-1);
  const isRunning = newest?.end === null && loop.stopped === null;
  const view = isRunning && newest.session ? readView(project.root, newest.session) : undefined;
  const { spent } = loop;
  const left = leftIn(loop);
  // Iterations as they were so far, until the first limit comes.
  const fits = (one: number | null, used: number) =>
    one === null || used === 0 ? left.max : Math.floor((one * spent.iterations) / used);
  const by = {
    max: left.max,
    usd: fits(left.usd, spent.costUsd),
    tokens: fits(left.tokens, spent.tokens),
    minutes: fits(left.minutes, spent.minutes),
  };
  const [first, iterations] = Object.entries(by).reduce((a, b) => (b[1] < a[1] ? b : a));
  return {
    loop: loop.loop,
    percent: view?.percent ?? null,
    level: view?.level ?? null,
    forecast: view?.forecast ?? null,
    iterations: loop.iterations.map((one) => {
      const { n, session, peak, handoffOut } = iterationData(project, one);
      return { n, session, peak, checkpoint: handoffOut !== null };
    }),
    left: { ...left, iterations, first },
  };
}

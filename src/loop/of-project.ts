import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoopStarted } from '../events/types.ts';
import { eventAt } from '../handoff/files.ts';
import { withBlobs } from '../log/blobs.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { type LoopRecord, loops, loopsOf } from '../projections/folds/loops.ts';
import { drainInbox } from '../timetravel/append.ts';
import { isHeld } from './hold.ts';

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

export type LoopState = 'running' | 'killed' | NonNullable<LoopRecord['stopped']>['reason'];

export function stateOf(project: Project, { stopped, worktree }: LoopRecord): LoopState {
  if (stopped !== null) return stopped.reason;
  return isHeld(project, worktree) ? 'running' : 'killed';
}

/** How a loop stands, with keys that stay. */
export function loopData(project: Project, loop: LoopRecord) {
  const { spent, limits, iterations, client, file } = loop;
  const newest = iterations.at(-1);
  return {
    loop: loop.loop,
    worktree: loop.worktree,
    state: stateOf(project, loop),
    task: file ?? taskText(project, loop),
    at: loop.at,
    iterations: spent.iterations,
    ...{ tokens: spent.tokens, costUsd: spent.costUsd, minutes: spent.minutes },
    limits,
    client,
    newest: newest === undefined ? null : iterationData(newest),
    official: officialLoop(path.resolve(project.dir, loop.worktree)),
  };
}

export function iterationData({ n, session, at, handoffIn, end }: LoopRecord['iterations'][0]) {
  return {
    ...{ n, session: session ?? null, at, handoffIn: handoffIn ?? null },
    outcome: end?.outcome ?? null,
    exit: end?.exit ?? null,
    isPromised: end?.isPromised ?? null,
    checks: end?.checks ?? [],
    peak: end?.peak ?? null,
    tokens: end?.tokens ?? null,
    costUsd: end?.costUsd ?? null,
    todos: end?.todos ?? null,
    handoffOut: end?.handoffOut ?? null,
  };
}

/** Of the client's own plugin: shown, never changed. */
export function officialLoop(dir: string): string | null {
  const file = '.claude/ralph-loop.local.md';
  return existsSync(path.join(dir, file)) ? file : null;
}

import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportLoop } from '../handoff/exported-loop.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import type { IterationRecord, LoopRecord } from '../projections/folds/loops.ts';
import { deliverDue } from '../tracker/deliver.ts';
import { append } from './append.ts';
import { iterate, settle } from './iteration.ts';
import { loopNow } from './of-project.ts';
import { taskOf } from './prompt.ts';
import { type StopReason, stopOf } from './stops.ts';

export interface LoopRun {
  project: Project;
  /** The loop's name. */
  loop: string;
  settings: Pick<Ben10Config, 'monitor' | 'handoff' | 'tracker' | 'usage'>;
  env: NodeJS.ProcessEnv;
  /** Ends the loop, with the checkpoint of its client. */
  signal: AbortSignal;
  /** A line for people. */
  note(line: string): void;
  /** Called behind each iteration. @param error the last line of what the client printed on stderr */
  ended(loop: LoopRecord, error: string): void;
}

/** The iteration at work. */
export interface Work {
  run: LoopRun;
  loop: LoopRecord;
  iteration: IterationRecord;
  /** From its start, or once the journal has one. */
  session(): string | undefined;
}

/** How often the journal is asked whether somebody stopped the loop. */
const LOOK_MS = 1000;
const WAIT_MS = 5 * 60_000;
/** A week's limit ends within it. */
const WAIT_MS_MAX = 8 * 24 * 3_600_000;

/** Runs a loop to its end; whoever calls it holds the worktree. */
export async function runLoop(given: LoopRun): Promise<StopReason> {
  const { project } = given;
  const stop = new AbortController();
  const run = { ...given, signal: AbortSignal.any([given.signal, stop.signal]) };
  const look = setInterval(() => {
    if (isStopped(run)) stop.abort();
  }, LOOK_MS);
  try {
    for (;;) {
      const open = loopNow(project, run.loop).iterations.at(-1);
      if (open?.end === null) await settle(run, open);
      const loop = loopNow(project, run.loop);
      if (loop.stopped !== null) return loop.stopped.reason;
      const dir = path.resolve(project.dir, loop.worktree);
      const isThere = existsSync(dir);
      const lost = () => (isThere ? lostTask(run, loop, dir) : 'worktree-lost');
      const reason = stopOf(loop) ?? (run.signal.aborted ? 'stopped' : lost());
      if (reason !== undefined) {
        append(project, 'loop.stopped', null, { loop: run.loop, reason });
        if (isThere) exportLoop(project, run.loop);
        return reason;
      }
      const resetsAt = await iterate(run, loop);
      await deliverDue(project, run.settings, { signal: run.signal });
      if (resetsAt !== undefined) await outwait(run, resetsAt);
    }
  } finally {
    clearInterval(look);
  }
}

function lostTask({ project, note }: LoopRun, loop: LoopRecord, dir: string) {
  if (loop.file === undefined) return undefined;
  try {
    taskOf(project, loop, dir);
    return undefined;
  } catch (error) {
    note(`the task cannot be read: ${(error as Error).message}`);
    return 'task-lost';
  }
}

function isStopped({ project, loop }: LoopRun): boolean {
  try {
    return loopNow(project, loop).stopped !== null;
  } catch {
    return false; // whoever needs the journal next says what is wrong with it
  }
}

/** Waits for a rate limit's end; longer from time to time where the client says none, or one that has passed. */
async function outwait(run: LoopRun, resetsAt: number): Promise<void> {
  const { project, signal, note } = run;
  const now = () => project.ports.clock.now();
  const { iterations } = loopNow(project, run.loop);
  const last = iterations.findLastIndex(({ end }) => end?.outcome !== 'rate-limit');
  const least = Math.min(WAIT_MS, 1000 * 2 ** Math.min(20, iterations.length - last - 2));
  const told = resetsAt * 1000 - now();
  const ms = Math.max(least, told <= 0 || told > WAIT_MS_MAX ? WAIT_MS : told);
  const until = new Date(now() + ms);
  note(`rate limit: waiting until ${until.toLocaleString('en-GB')}`);
  // Both clocks: one may be set, the other stands while the machine sleeps.
  const start = performance.now();
  while (!signal.aborted && now() < until.getTime() && performance.now() - start < ms)
    await sleep(Math.min(ms, LOOK_MS), undefined, { signal }).catch(() => undefined);
}

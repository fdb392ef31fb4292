import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { createLogger } from '../platform/logger.ts';
import type { Job } from '../project/doors.ts';
import { JOBS } from '../project/features.ts';
import { takeInbox } from '../project/inbox.ts';
import { LOCK_BUDGET_MS, openProject, optionsOf, type Project } from '../project/open.ts';
import type { ServerContext } from './context.ts';
import { loadSettings } from './settings.ts';

/** The argument that makes the server's program run a job instead. */
export const JOB = 'job';

export interface Jobs {
  /** Call for each request. */
  busy(): void;
  readonly isRunning: boolean;
  stop(): void;
}

export interface JobWays {
  /** The server's bundle, for jobs in a process of their own. */
  program: string;
  /** Runs a job in the worker process. */
  ask(name: string): Promise<unknown>;
}

/** Runs the features' background jobs, one at a time, while there are no requests. A failed one is tried again later. */
export function startJobs(
  context: ServerContext,
  ways: JobWays,
  jobs: readonly Job[] = JOBS,
): Jobs {
  const { log } = context;
  /** When each job last ended, and its stamp then. */
  const done = new Map<Job, { at: number; stamp: string }>();
  let busyAt = Date.now();
  let running: AbortController | undefined;
  const isDue = (job: Job): boolean => {
    const { afterMs, everyMs, giveUpMs = Number.POSITIVE_INFINITY, isWanted } = job;
    const now = Date.now();
    const quiet = now - busyAt;
    if (quiet < afterMs || quiet > giveUpMs) return false;
    const { at, stamp } = done.get(job) ?? { at: 0, stamp: '' };
    if (at >= busyAt && now - at < everyMs) return false;
    // Without a journal there is nothing to do.
    const isThere = existsSync(context.project.layout.journal);
    if (!isThere || isWanted?.(context.settings.config) === false) return false;
    if (job.stamp === undefined || job.stamp(context.project) !== stamp) return true;
    done.set(job, { at: now, stamp });
    return false;
  };
  const work = async (job: Job): Promise<void> => {
    const { name, isApart, budgetMs } = job;
    running = new AbortController();
    const { signal } = running;
    const late = setTimeout(() => running?.abort(), budgetMs).unref();
    try {
      await (isApart
        ? runApart(ways.program, name, context.project.dir, signal)
        : unlessAborted(signal, ways.ask(name)));
      log.debug(`job ${name} ended`);
    } finally {
      clearTimeout(late);
      done.set(job, { at: Date.now(), stamp: job.stamp?.(context.project) ?? '' });
    }
  };
  const tick = async (): Promise<void> => {
    if (running !== undefined) return;
    try {
      const job = jobs.find(isDue);
      if (job !== undefined) await work(job);
    } catch (error) {
      log.debug(`a job failed: ${(error as Error).message}`);
    }
    running = undefined;
  };
  const timer = setInterval(() => void tick(), tickMs(jobs)).unref();
  return {
    busy() {
      busyAt = Date.now();
    },
    get isRunning() {
      return running !== undefined;
    },
    stop() {
      clearInterval(timer);
      running?.abort();
    },
  };
}

const tickMs = (jobs: readonly Job[]): number =>
  Math.min(...jobs.flatMap(({ afterMs, everyMs }) => [afterMs, everyMs])) / 2;

function unlessAborted<T>(signal: AbortSignal, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true });
    asked.then(resolve, reject);
  });
}

/** The signal may kill it at any time. */
function runApart(program: string, name: string, dir: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { stdio: 'ignore', windowsHide: true, signal } as const;
    const child = spawn(process.execPath, [program, JOB, name, dir], options);
    child.unref();
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`it ended with ${code}`)),
    );
  });
}

/** The process that `runApart` starts. */
export async function runJobApart(name: string, dir: string): Promise<void> {
  const log = createLogger('info');
  try {
    setPriority(constants.priority.PRIORITY_LOW);
    const { config } = await loadSettings(dir, log);
    const project = openProject(dir, { ...optionsOf(config), lockBudgetMs: LOCK_BUDGET_MS });
    await run(name, project, config);
    project.close();
  } catch (error) {
    log.debug(`job ${name} failed: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** In the worker process. */
export async function runJobHere(name: string, context: ServerContext): Promise<undefined> {
  if (await run(name, context.project, context.settings.config)) context.touched();
  return undefined;
}

async function run(
  name: string,
  project: Project,
  config: ServerContext['settings']['config'],
): Promise<boolean> {
  const job = JOBS.find((one) => one.name === name);
  if (job === undefined) return false;
  const signal = AbortSignal.timeout(job.budgetMs);
  return job.run(project, { config, waiting: takeInbox(project), signal });
}

import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../capture/json.ts';
import type { IterationFinished, TurnEnded } from '../events/types.ts';
import { exportLoop } from '../handoff/exported-loop.ts';
import { allHandoffs } from '../handoff/of-project.ts';
import { takeCheckpoint } from '../handoff/take.ts';
import { withBlobs } from '../log/blobs.ts';
import { Ben10Error } from '../platform/errors.ts';
import { placeOf } from '../platform/place.ts';
import { killGroup } from '../platform/programs/run.ts';
import { readEvents } from '../projections/events.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { type IterationRecord, type LoopRecord, leftIn } from '../projections/folds/loops.ts';
import { isDone, tasks } from '../projections/folds/tasks.ts';
import { Prices, priceIn } from '../usage/prices.ts';
import { append } from './append.ts';
import { runChecks } from './checks.ts';
import { type Client, Desk, runningClient, startClient } from './child.ts';
import { loopNow } from './of-project.ts';
import { isPromised } from './promise.ts';
import { writePrompt } from './prompt.ts';
import type { LoopRun, Work } from './run.ts';
import { Said } from './said.ts';
import { isTurn } from './stops.ts';
import { treeOf } from './tree.ts';
import { type Watched, watch } from './watch.ts';

type Outcome = IterationFinished['outcome'];

/** What a client of ours must not take for its own. */
const NOT_PASSED_ON = ['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_PROJECT_DIR'];

/** Runs the next iteration to its end. @returns when a rate limit ends, seconds since the epoch, if it ended at one */
export async function iterate(run: LoopRun, loop: LoopRecord): Promise<number | undefined> {
  const { project } = run;
  const dir = path.resolve(project.dir, loop.worktree);
  const n = (loop.iterations.at(-1)?.n ?? 0) + 1;
  const prompt = writePrompt(project, loop, n, run.settings);
  const desk = new Desk(project.root, loop.loop, n);
  // Of one that was killed before it could.
  new Desk(project.root, loop.loop, n - 1).clear();
  desk.lay(prompt.text);
  const session = loop.kind === 'claude' ? randomUUID() : undefined;
  const tree = treeOf(dir);
  const begun = { loop: loop.loop, n, session, handoffIn: prompt.handoffIn, tree };
  append(project, 'loop.iteration-started', n, defined(begun));
  exportLoop(project, loop.loop);
  const env: NodeJS.ProcessEnv = { ...run.env, BEN10_LOOP: loop.loop, BEN10_ITERATION: `${n}` };
  for (const name of NOT_PASSED_ON) delete env[name];
  let client: Client | undefined;
  try {
    const gated = await startClient(commandOf(loop, session), desk, { cwd: dir, env });
    client = gated;
    const { pid, started } = gated;
    append(project, 'loop.child-started', n, { loop: loop.loop, n, pid, started });
    gated.go();
  } catch (error) {
    killGroup(client?.pid);
    if (error instanceof Ben10Error) throw error;
    // The system starts no process: that is the client's failure.
    client = { pid: 0, started: '', ended: Promise.resolve({ exit: 127 }) };
  }
  return finish(run, client, 0);
}

/** Ends what a loop that was killed had begun: waits for its client, if that lives. */
export async function settle(run: LoopRun, open: IterationRecord): Promise<void> {
  const { child, at } = open;
  const client = child === null ? undefined : runningClient(child.pid, child.started);
  if (client !== undefined) run.note(`iteration ${open.n} is still at work: waiting for it`);
  const desk = new Desk(run.project.root, run.loop, open.n);
  // The last time that it was seen.
  const seen = statSync(desk.file('out'), { throwIfNoEntry: false })?.mtimeMs ?? at;
  const until = client ? run.project.ports.clock.now() : seen;
  await finish(run, client, Math.max(0, until - at) / 60_000);
}

/** Watches the client of the open iteration, and records how it ended. @param client undefined if it is gone */
async function finish(
  run: LoopRun,
  client: Client | undefined,
  minutesBefore: number,
): Promise<number | undefined> {
  const { project } = run;
  const loop = loopNow(project, run.loop);
  const iteration = loop.iterations.at(-1)!;
  const dir = path.resolve(project.dir, loop.worktree);
  const desk = new Desk(project.root, run.loop, iteration.n);
  const own = run.settings.usage.prices.flatMap((one) => priceIn(one) ?? []);
  const said = new Said(desk.file('out'), new Prices(own));
  let { session } = iteration;
  const work: Work = {
    ...{ run, loop, iteration },
    session() {
      session ??= firstSession(work);
      return session;
    },
  };
  let watched: Watched = { minutes: minutesBefore };
  if (client === undefined) said.read();
  else {
    watched = await watch(work, client, said, minutesBefore);
    killGroup(client.pid || undefined);
  }
  const given = outcomeOf(loop, said, watched, client === undefined);
  const isCut = given === 'interrupted' || given === 'checkpoint';
  if (isCut && handoffSince(work) === undefined) takeWhatIsThere(work);
  const handoff = handoffSince(work);
  const outcome = given === 'turn-end' && handoff !== undefined ? 'checkpoint' : given;
  const tree = treeOf(dir);
  const isWork = isTurn({ outcome });
  const checks = isWork ? await runChecks(loop.limits.checks, dir, run) : [];
  const { exit, minutes } = watched;
  const name = work.session();
  const finished = {
    ...{ loop: run.loop, n: iteration.n, session: name, outcome, exit, minutes, checks, tree },
    isPromised: isWork && isGiven(work, said),
    peak: said.peak && Math.round(said.peak * 10) / 10,
    tokens: said.tokens,
    costUsd: said.costUsd,
    todos: name === undefined ? undefined : todosOf(run, name),
    handoffOut: handoff,
  };
  append(project, 'loop.iteration-finished', iteration.n, defined(finished));
  exportLoop(project, run.loop);
  run.ended(loopNow(project, run.loop), lastLine(desk.read('errors')));
  desk.clear();
  return outcome === 'rate-limit' ? (said.resetsAt ?? 0) : undefined;
}

/** A shell that is interrupted waits for the client that it has started, and goes on with nothing else. */
const WAITS = "trap 'exit 130' INT; trap 'exit 143' TERM";

function commandOf(loop: LoopRecord, session?: string): string[] {
  const { kind, client } = loop;
  const [program, ...args] = client as [string, ...string[]];
  if (kind === 'command' && process.platform === 'win32')
    return [process.env.ComSpec ?? 'cmd.exe', '/d', '/s', '/c', program, ...args];
  if (kind === 'command') return ['/bin/sh', '-c', `${WAITS}; ${program} "$@"`, 'sh', ...args];
  const { usd } = leftIn(loop);
  return [
    ...[program, '-p', '--session-id', session!, '--output-format', 'stream-json', '--verbose'],
    ...(usd === null ? [] : ['--max-budget-usd', usd.toFixed(4)]),
    ...args,
  ];
}

function outcomeOf(
  { kind }: LoopRecord,
  { isRateLimited, result }: Said,
  { why, exit, signal }: Watched,
  isGone: boolean,
): Outcome {
  if (why === 'stopped' || why === 'over') return 'interrupted';
  if (why === 'flood') return 'client-error';
  if (why === 'checkpoint') return 'checkpoint';
  const hasFailed = result === undefined ? exit !== undefined && exit !== 0 : result.isError;
  if (hasFailed) return isRateLimited ? 'rate-limit' : 'client-error';
  if (result !== undefined || exit !== undefined) return 'turn-end';
  // Nobody knows how it ended; the command of a loop that was killed was waited for.
  return isGone || signal !== undefined || kind === 'claude' ? 'interrupted' : 'turn-end';
}

/** The journal's first session since it was started, in its worktree. */
function firstSession({ run: { project }, loop, iteration }: Work): string | undefined {
  const query = { from: iteration.seq, types: ['session.started'] };
  for (const { session, data } of readEvents(project.reader, project.ports.xxh64, query)) {
    const { cwd } = data as { cwd?: string };
    if (session !== null && placeOf(project.dir, cwd).worktree === loop.worktree) return session;
  }
  return undefined;
}

function handoffSince({ run, loop, iteration, session }: Work): string | undefined {
  const name = session();
  const isOurs = (one: Handoff) =>
    name === undefined
      ? one.trigger === 'loop' && one.worktree === loop.worktree
      : one.session === name;
  const all = allHandoffs(run.project);
  return all.find((one) => one.seq > iteration.seq && isOurs(one))?.checkpoint;
}

/** What an iteration that was cut off leaves behind, if it came to anything. */
function takeWhatIsThere({ run, loop, iteration: { seq, tree }, session }: Work): void {
  const { project, settings, note } = run;
  const cwd = path.resolve(project.dir, loop.worktree);
  const { reader, ports } = project;
  const name = session();
  const query = { from: seq, types: ['prompt.submitted', 'tool.called'], session: name ?? '' };
  const hasWorked = readEvents(reader, ports.xxh64, query).next().done !== true;
  if (!hasWorked && treeOf(cwd) === tree) return;
  try {
    const by = { trigger: 'loop', session: name ?? null, source: 'cli', cwd } as const;
    takeCheckpoint(project, by, settings);
  } catch (error) {
    if (!(error instanceof Ben10Error)) throw error;
    note(`no checkpoint was taken: ${error.message}`);
  }
}

function todosOf({ project }: LoopRun, session: string): { done: number; all: number } | undefined {
  const all = Object.values(project.states.at(tasks, session).state.tasks);
  return all.length === 0 ? undefined : { done: all.filter(isDone).length, all: all.length };
}

/** In what the client printed, or in what its Stop hook brought: either may be missing. */
function isGiven({ run, loop, iteration, session }: Work, { result, tail }: Said): boolean {
  const { project } = run;
  const { until } = loop.limits;
  if (until === undefined) return false;
  const texts = [result?.text ?? (loop.kind === 'command' ? tail : '')];
  const query = { from: iteration.seq, types: ['turn.ended'], session: session() ?? '' };
  const turns = [...readEvents(project.reader, project.ports.xxh64, query)];
  const { lastMessage } = (withBlobs(project, turns.at(-1)?.data ?? {}) ?? {}) as TurnEnded;
  if (typeof lastMessage === 'string') texts.push(lastMessage);
  const prompt = new Desk(project.root, run.loop, iteration.n).read('prompt');
  return texts.some((text) => isPromised(text, until, prompt));
}

const ERRORS_CHARS = 4096;
const lastLine = (text: string): string =>
  text.slice(-ERRORS_CHARS).trim().split('\n').at(-1) ?? '';

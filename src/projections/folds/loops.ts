import type {
  IterationFinished,
  IterationStarted,
  LoopChildStarted,
  LoopResumed,
  LoopStarted,
  LoopStopped,
} from '../../events/types.ts';
import { fieldOf, headOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

export interface IterationRecord extends Omit<IterationStarted, 'loop'> {
  /** Of its start. */
  seq: number;
  at: number;
  /** Of its newest client. */
  child: Pick<LoopChildStarted, 'pid' | 'started'> | null;
  /** Null while it runs, or when it was killed. */
  end: (Omit<IterationFinished, 'loop' | 'n' | 'session'> & { at: number }) | null;
}

export interface LoopRecord extends Omit<LoopStarted, 'text'> {
  /** Of its start, which has the text of the task. */
  seq: number;
  at: number;
  /** It was stopped and resumed here: what went wrong before is forgiven. */
  since?: number;
  /** Of those that are no longer in `iterations`, and of those that are. */
  spent: { iterations: number; tokens: number; costUsd: number; minutes: number };
  /** The newest, oldest first. */
  iterations: IterationRecord[];
  /** Null while it runs, or when it was killed. */
  stopped: { reason: LoopStopped['reason']; at: number } | null;
}

export interface LoopsState {
  /** By loop, oldest first. */
  loops: Record<string, LoopRecord>;
}

const LOOPS_MAX = 50;
const ITERATIONS_MAX = 100;
/** Of a name, or a part of a command. */
export const NAME_CHARS = 1000;
const NAME = /^[0-9a-f]{1,64}$/;
/** These say nothing about the task, and are not counted. */
const UNCOUNTED = new Set<IterationFinished['outcome']>(['rate-limit']);

/** Loops of the project, with their newest iterations. */
export const loops: Projection<LoopsState> = {
  name: 'loops',
  version: 2,
  scope: 'project',
  initial: () => ({ loops: {} }),
  ...foldedBy<LoopsState>({
    'loop.started': started,
    'loop.resumed': (state, { seq, data: { loop, limits } }: Fact<LoopResumed>) => {
      const found = fieldOf(state.loops, loop);
      if (found === undefined) return;
      if (found.stopped !== null) found.since = seq;
      Object.assign(found, { limits, stopped: null });
    },
    'loop.iteration-started': iterationStarted,
    'loop.child-started': (state, { data: { loop, n, pid, started } }: Fact<LoopChildStarted>) => {
      const found = iterationAt(fieldOf(state.loops, loop), n);
      if (found !== undefined) found.child = { pid, started: headOf(started, NAME_CHARS) };
    },
    'loop.iteration-finished': iterationFinished,
    'loop.stopped': (state, { at, data: { loop, reason } }: Fact<LoopStopped>) => {
      const found = fieldOf(state.loops, loop);
      if (found !== undefined) found.stopped = { reason, at };
    },
  }),
};

const iterationAt = (loop: LoopRecord | undefined, n: number) =>
  loop?.iterations.findLast((one) => one.n === n);

function started({ loops: all }: LoopsState, { seq, at, data }: Fact<LoopStarted>): void {
  const { loop, worktree, file, limits, client, kind } = data;
  if (!NAME.test(loop) || fieldOf(all, loop) !== undefined) return;
  all[loop] = {
    loop,
    worktree: headOf(worktree, NAME_CHARS),
    ...(file !== undefined && { file: headOf(file, NAME_CHARS) }),
    limits,
    client: client.map((part) => headOf(part, NAME_CHARS)),
    kind,
    seq,
    at,
    spent: { iterations: 0, tokens: 0, costUsd: 0, minutes: 0 },
    iterations: [],
    stopped: null,
  };
  // Names of digits alone come first in an object, so the oldest is found by its event.
  const known = Object.values(all);
  if (known.length <= LOOPS_MAX) return;
  const oldest = known.reduce((one, other) => (other.seq < one.seq ? other : one));
  delete all[oldest.loop];
}

function iterationStarted(state: LoopsState, { seq, at, data }: Fact<IterationStarted>): void {
  const { loop, ...iteration } = data;
  const found = fieldOf(state.loops, loop);
  if (found === undefined || iterationAt(found, iteration.n)?.end === null) return;
  found.iterations.push({ ...iteration, seq, at, child: null, end: null });
  if (found.iterations.length > ITERATIONS_MAX) found.iterations.shift();
}

function iterationFinished(state: LoopsState, { at, data }: Fact<IterationFinished>): void {
  const { loop, n, session, ...end } = data;
  const record = fieldOf(state.loops, loop);
  const found = iterationAt(record, n);
  if (record === undefined || found === undefined || found.end !== null) return;
  found.end = { ...end, at };
  // Of a client that takes no name, it is known only now.
  if (session !== undefined) found.session ??= session;
  const { spent } = record;
  spent.tokens += end.tokens ?? 0;
  spent.costUsd += end.costUsd ?? 0;
  if (UNCOUNTED.has(end.outcome)) return;
  spent.iterations++;
  spent.minutes += end.minutes ?? Math.max(0, at - found.at) / 60_000;
}

/** The newest first. */
export const loopsOf = ({ loops: all }: LoopsState): LoopRecord[] =>
  Object.values(all).sort((a, b) => b.seq - a.seq);

/** What its limits leave; null for one that it has not. No finer than a client is told of: sums of dollars are not exact. */
export function leftIn({ limits, spent }: LoopRecord, running = { tokens: 0, minutes: 0 }) {
  const left = (limit: number | undefined, used: number) =>
    limit === undefined ? null : Math.max(0, Number((limit - used).toFixed(4)));
  return {
    max: Math.max(0, limits.max - spent.iterations),
    usd: left(limits.budgetUsd, spent.costUsd),
    tokens: left(limits.budgetTokens, spent.tokens + running.tokens),
    minutes: left(limits.minutes, spent.minutes + running.minutes),
  };
}

/** What is left of its budget at the end of the last iteration, in words; empty without one. */
export const leftOf = (loop: LoopRecord): string => leftText(leftIn(loop));

export function leftText({ usd, tokens, minutes }: ReturnType<typeof leftIn>): string {
  return [
    ...(usd === null ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === null ? [] : [`${tokens.toLocaleString('en-US')} tokens`]),
    ...(minutes === null ? [] : [`${Math.round(minutes)} minutes`]),
  ].join(', ');
}

/** The iteration that a session is the work of, with its loop, while it runs. */
export function iterationOf(
  state: LoopsState,
  session: string,
): { loop: LoopRecord; iteration: IterationRecord } | undefined {
  for (const loop of loopsOf(state)) {
    const iteration = loop.iterations.findLast((one) => one.session === session);
    if (iteration !== undefined) return iteration.end === null ? { loop, iteration } : undefined;
  }
  return undefined;
}

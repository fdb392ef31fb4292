import { setTimeout as sleep } from 'node:timers/promises';
import { isDue, type MonitorView, readView } from '../monitor/view.ts';
import { type Client, interrupt } from './child.ts';
import type { Work } from './run.ts';
import type { Said } from './said.ts';
import { overBudget } from './stops.ts';

const TICK_MS = 1000;
/** How long a turn may go on at L2; at L3 it does not. */
const GRACE_MS = 60_000;
/** How long a client may take to end behind its result. */
const LINGER_MS = 30_000;
const OUT_BYTES_MAX = 1024 * 1024 * 1024;

/** Why we ended it; undefined where it ended by itself. */
export type Why = 'stopped' | 'over' | 'flood' | 'checkpoint' | 'lingers';

export type Watched = Partial<Awaited<Client['ended']>> & {
  why?: Why;
  /** Of this client, since it was started. */
  minutes: number;
};

/**
 * Stays with a client until it is gone; ends it when a limit is reached, a checkpoint is due or the loop is to stop.
 * @param minutesBefore that it ran before we came
 */
export async function watch(
  { run: { project, signal }, loop, iteration, session }: Work,
  client: Client,
  said: Said,
  minutesBefore: number,
): Promise<Watched> {
  const start = performance.now();
  const minutes = () => minutesBefore + (performance.now() - start) / 60_000;
  let dueAt: number | undefined;
  let resultAt: number | undefined;
  let interruption: ReturnType<typeof interrupt> | undefined;
  let why: Why | undefined;
  const killNow = () => interruption?.kill();
  const wanted = (): Why | undefined => {
    const name = session();
    const view = name === undefined ? undefined : readView(project.root, name);
    said.sees(view?.percent);
    if (signal.aborted) return 'stopped';
    const now = performance.now();
    if (said.result !== undefined) resultAt ??= now;
    if (resultAt !== undefined) return now - resultAt > LINGER_MS ? 'lingers' : undefined;
    if (said.bytes > OUT_BYTES_MAX) return 'flood';
    const used = { tokens: said.tokens ?? 0, minutes: minutes() };
    if (overBudget(loop, used) !== undefined) return 'over';
    if (view === undefined || !isFull(view, iteration.at)) return undefined;
    dueAt ??= now;
    const since = project.ports.clock.now() - (view.checkpoint.dueSince ?? Number.NaN);
    const isOver = view.level === 'L3' || now - dueAt > GRACE_MS || since > GRACE_MS;
    return isOver ? 'checkpoint' : undefined;
  };
  try {
    for (;;) {
      const end = await Promise.race([client.ended, tick(signal)]);
      said.read();
      if (end !== undefined) {
        wanted();
        return { ...end, ...(why !== undefined && { why }), minutes: minutes() };
      }
      why ??= wanted();
      if (why === undefined || interruption !== undefined) continue;
      interruption = interrupt(client, loop.kind === 'command');
      // A second Ctrl-C.
      process.once('SIGINT', killNow);
    }
  } finally {
    interruption?.end();
    process.off('SIGINT', killNow);
  }
}

/** A checkpoint is due, or was taken and the model goes on in a context that is as full. */
const isFull = (view: MonitorView, since: number): boolean =>
  isDue(view) || (/L[23]/.test(view.level) && (view.checkpoint.at ?? 0) > since);

/** Ends early when somebody wants to stop. */
async function tick(signal: AbortSignal): Promise<undefined> {
  await sleep(TICK_MS, undefined, signal.aborted ? {} : { signal }).catch(() => undefined);
}

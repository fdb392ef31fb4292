import { fact } from '../events/identity.ts';
import type { Source } from '../events/types.ts';
import { LockFile } from '../journal/append/locking.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { ALL, deliveries } from '../projections/folds/deliveries.ts';
import { oneLine } from '../projections/safe-text.ts';
import { drainInbox } from '../timetravel/append.ts';
import { type FailureCode, TrackerError } from './failure.ts';
import type { Told, Tracker } from './linear.ts';
import { type Delivery, type Settings, type Wanted, wanted } from './wanted.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Way {
  env?: Env;
  /** The user wants it tried now, whatever failed before. */
  isAsked?: boolean;
  source?: Source;
}

type Sent = Omit<Delivery, 'session'> & { issue: string; remoteId?: string };

export interface Round {
  sent: Sent[];
  /** How many are still to be told. */
  open: number;
  failed: { issue?: string; code: FailureCode; retryAt?: number }[];
  /** Another process is at it. */
  isBusy: boolean;
}

const MINUTE_MS = 60_000;
const BACKOFF_MAX_MINUTES = 60;
/** Whoever has to wait longer has a clock that was set. */
const WAIT_MS_MAX = 2 * 3_600_000;
const FACT_CHARS = 300;

/** Tells the tracker what it does not know yet, and appends what it was told. It never throws for the network. */
export async function deliverDue(
  project: Project,
  settings: Settings,
  signal?: AbortSignal,
  way: Way = {},
): Promise<Round> {
  const round: Round = { sent: [], open: 0, failed: [], isBusy: false };
  if (settings.tracker.kind === 'none') return round;
  drainInbox(project);
  if (wanted(project, settings).length === 0) return round;
  // Makes the folder.
  project.writer.syncIfDue();
  const lock = new LockFile(project.ports, project.layout.trackerLock);
  try {
    // Without locks it goes on: whatever is said twice is the same.
    round.isBusy = !lock.keep(0) && !lock.isImpossible;
    if (!round.isBusy) await tell(project, settings, round, way, signal);
  } finally {
    lock.close();
  }
  round.open = openIn(wanted(project, settings)).length;
  return round;
}

export const openIn = (all: readonly Wanted[]): Delivery[] =>
  all.flatMap(({ effects }) => effects.flatMap((effect) => effect.of));

async function tell(
  project: Project,
  settings: Settings,
  round: Round,
  way: Way,
  signal: AbortSignal | undefined,
): Promise<void> {
  let tracker: Tracker;
  try {
    tracker = await trackerOf(project, settings, way.env ?? process.env, signal);
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error;
    round.failed.push({ code: error.code });
    return;
  }
  for (const one of wanted(project, settings)) {
    if (signal?.aborted) return;
    if (way.isAsked !== true && waitsFor(project, one.issue)) continue;
    const reported = reporter(project, one, round, way.source ?? 'tool');
    try {
      await tracker.deliver(one, reported);
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error;
      if (signal?.aborted) return;
      reported.failed(error);
      if (!error.isOfIssue) return;
    }
  }
}

/** Loaded only where something is to be told. */
async function trackerOf(
  project: Project,
  { tracker }: Settings,
  env: Env,
  signal?: AbortSignal,
): Promise<Tracker> {
  if (tracker.kind === 'linear') return (await import('./linear.ts')).linear(tracker, env, signal);
  return (await import('./github.ts')).github(project, tracker, env, signal);
}

/** What the tracker says, as events. */
function reporter(project: Project, { issue, effects }: Wanted, round: Round, source: Source) {
  const { recorder, redact, ports, states } = project;
  const { failures } = states.at(deliveries, null).state;
  const tries = [issue, ALL].map((name) => fieldOf(failures, name)?.attempt ?? 0);
  const attempt = Math.max(...tries) + 1;
  const open = new Set(effects);
  const told: Told & { failed(error: TrackerError): void } = {
    seen({ title, state, url }) {
      const plain = (text: string) => oneLine(redact(text)).slice(0, FACT_CHARS);
      const data = { issue, title: plain(title), state: plain(state), url: plain(url) };
      recorder.append([recorder.ownEvent('tracker.seen', null, data, source)]);
    },
    done(effect, remoteId) {
      open.delete(effect);
      const events = effect.of.map(({ session, ...of }) => {
        const sent = { ...of, issue, ...(remoteId && { remoteId }) };
        round.sent.push(sent);
        const name = fact.monitor('tracker', of.checkpoint ?? of.plan!, of.what);
        return recorder.ownEvent('tracker.delivered', session, { ...sent, attempt }, source, name);
      });
      recorder.append(events);
    },
    failed({ code, waitMs, isOfIssue }) {
      const { session = null, ...of } = [...open][0]?.of[0] ?? {};
      const chance = new Uint8Array(1);
      ports.random.fill(chance);
      const minutes = Math.min(BACKOFF_MAX_MINUTES, 2 ** (attempt - 1));
      const pause = minutes * MINUTE_MS * (0.75 + chance[0]! / 512);
      const wait = Math.round(Math.min(WAIT_MS_MAX, Math.max(pause, waitMs)));
      const failure = { ...(isOfIssue && { issue }), code, retryAt: ports.clock.now() + wait };
      const data = { ...of, ...failure, attempt };
      recorder.append([recorder.ownEvent('tracker.failed', session, data, source)]);
      round.failed.push(failure);
    },
  };
  return told;
}

/** A process has one key: if that was refused since it began, only a later one may have another. */
function waitsFor({ states, ports }: Project, issue: string): boolean {
  const { failures } = states.at(deliveries, null).state;
  const now = ports.clock.now();
  const startedAt = now - process.uptime() * 1000;
  return [fieldOf(failures, issue), fieldOf(failures, ALL)].some((failure) => {
    if (failure === undefined) return false;
    const { code, at, retryAt } = failure;
    if (code === 'refused-key') return at >= startedAt && at <= now;
    return now < retryAt && retryAt - now <= WAIT_MS_MAX;
  });
}

import { fact } from '../events/identity.ts';
import type { Source } from '../events/types.ts';
import { LockFile } from '../journal/append/locking.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { ALL, deliveries } from '../projections/folds/deliveries.ts';
import { oneLine } from '../projections/safe-text.ts';
import { drainInbox } from '../timetravel/append.ts';
import { type FailureCode, TrackerError } from './failure.ts';
import { type Delivery, type Effect, type Settings, wanted } from './wanted.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Asks how an issue stands, and what is there of the effects. @throws TrackerError */
export type Tracker = (issue: string, effects: readonly Effect[]) => Promise<Asked>;

interface Asked {
  title: string;
  state: string;
  /** Does what is missing of an effect. @returns the tracker's own name of what it made @throws TrackerError */
  perform(effect: Effect): Promise<string | undefined>;
}

export interface Way {
  env?: Env;
  /** The user wants it tried now, whatever failed before. */
  isAsked?: boolean;
  source?: Source;
  signal?: AbortSignal;
}

export interface Round {
  sent: (Delivery & { issue: string; remoteId?: string })[];
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
  way: Way = {},
): Promise<Round> {
  const round: Round = { sent: [], open: 0, failed: [], isBusy: false };
  if (settings.tracker.kind === 'none') return round;
  drainInbox(project);
  if (wanted(project, settings).size === 0) return round;
  // Makes the folder.
  project.writer.syncIfDue();
  const lock = new LockFile(project.ports, project.layout.trackerLock);
  try {
    // Without locks it goes on: whatever is said twice is the same.
    round.isBusy = !lock.keep(0) && !lock.isImpossible;
    if (!round.isBusy) await tell(project, settings, round, way);
  } finally {
    lock.close();
  }
  round.open = [...wanted(project, settings).values()].flat().length;
  return round;
}

async function tell(
  project: Project,
  settings: Settings,
  round: Round,
  { env = process.env, isAsked = false, source = 'tool', signal }: Way,
): Promise<void> {
  const { recorder, redact } = project;
  const plain = (text: string) => oneLine(redact(text)).slice(0, FACT_CHARS);
  try {
    // Loaded only where something is to be told.
    const tracker =
      settings.tracker.kind === 'linear'
        ? (await import('./linear.ts')).linear(settings.tracker, env, signal)
        : (await import('./github.ts')).github(project, settings.tracker, env, signal);
    for (const [issue, effects] of wanted(project, settings)) {
      if (signal?.aborted) return;
      if (!isAsked && waitsFor(project, issue)) continue;
      try {
        const { title, state, perform } = await tracker(issue, effects);
        const facts = { issue, title: plain(title), state: plain(state) };
        recorder.append([recorder.ownEvent('tracker.seen', null, facts, source)]);
        for (const effect of effects) {
          const remoteId = await perform(effect);
          const { of, session } = effect;
          const sent = { ...of, issue, ...(remoteId && { remoteId }) };
          const name = fact.monitor('tracker', of.checkpoint ?? of.plan!, of.what);
          recorder.append([recorder.ownEvent('tracker.delivered', session, sent, source, name)]);
          round.sent.push(sent);
        }
      } catch (error) {
        if (!(error instanceof TrackerError)) throw error;
        if (signal?.aborted) return;
        const { attempt, ...failed } = failureOf(project, issue, error);
        recorder.append([
          recorder.ownEvent('tracker.failed', null, { ...failed, attempt }, source),
        ]);
        round.failed.push(failed);
        if (!error.isOfIssue) return;
      }
    }
  } catch (error) {
    // There is none to ask.
    if (!(error instanceof TrackerError)) throw error;
    round.failed.push({ code: error.code });
  }
}

const failuresOf = ({ states }: Project, issue: string) => {
  const { failures } = states.at(deliveries, null).state;
  return [issue, ALL].flatMap((name) => fieldOf(failures, name) ?? []);
};

/** With the time of the next try: after 1, 2, 4 minutes up to an hour, or when the tracker wants it. */
function failureOf(project: Project, issue: string, { code, waitMs, isOfIssue }: TrackerError) {
  const { random, clock } = project.ports;
  const attempt = 1 + Math.max(0, ...failuresOf(project, issue).map((one) => one.attempt));
  const chance = new Uint8Array(1);
  random.fill(chance);
  const minutes = Math.min(BACKOFF_MAX_MINUTES, 2 ** (attempt - 1));
  const pause = minutes * MINUTE_MS * (0.75 + chance[0]! / 512);
  const wait = Math.round(Math.min(WAIT_MS_MAX, Math.max(pause, waitMs)));
  return { ...(isOfIssue && { issue }), code, retryAt: clock.now() + wait, attempt };
}

/** A process has one key: if that was refused since it began, only a later one may have another. */
function waitsFor(project: Project, issue: string): boolean {
  const now = project.ports.clock.now();
  const startedAt = now - process.uptime() * 1000;
  return failuresOf(project, issue).some(({ code, at, retryAt }) =>
    code === 'refused-key'
      ? at >= startedAt && at <= now
      : now < retryAt && retryAt - now <= WAIT_MS_MAX,
  );
}

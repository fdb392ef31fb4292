import type { Logger } from '../platform/logger.ts';
import { takeInbox } from '../project/inbox.ts';
import { lookAround } from '../workspace/look.ts';
import type { ServerContext } from './context.ts';

/** When nobody has asked anything for so long, the agent is not at work, milliseconds. */
export const QUIET_MS = 3_000;
/** How often it is looked while nobody comes back. */
export const AGAIN_MS = 60_000;
/** Who comes back later finds what is told at a session's start. */
export const GIVE_UP_MS = 3_600_000;

export interface Looking {
  /** Somebody has asked something. */
  busy(): void;
  stop(): void;
}

export interface LookingTimes {
  quietMs: number;
  againMs: number;
  giveUpMs: number;
}

/**
 * Looks around the project while nobody asks anything: soon after the last question, for what the agent did may have
 * changed it, and then now and again, for somebody else may. So the next prompt can be told of it, and no hook has to look.
 * Keeps no process alive.
 */
export function startLooking(
  look: () => Promise<unknown>,
  log: Logger,
  { quietMs, againMs, giveUpMs }: LookingTimes = {
    quietMs: QUIET_MS,
    againMs: AGAIN_MS,
    giveUpMs: GIVE_UP_MS,
  },
): Looking {
  let busyAt = Date.now();
  let lookedAt = 0;
  let isLooking = false;
  const isDue = (now: number): boolean => {
    if (isLooking || now - busyAt < quietMs || now - busyAt > giveUpMs) return false;
    return lookedAt < busyAt || now - lookedAt >= againMs;
  };
  const tick = async (): Promise<void> => {
    if (!isDue(Date.now())) return;
    isLooking = true;
    try {
      await look();
    } catch (error) {
      log.debug(`the environment was not looked at: ${(error as Error).message}`);
    }
    isLooking = false;
    lookedAt = Date.now();
  };
  const timer = setInterval(() => void tick(), Math.min(quietMs, againMs) / 2).unref();
  return {
    busy() {
      busyAt = Date.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** One look, recorded when something is another than before. */
export async function lookHere(context: ServerContext): Promise<undefined> {
  const { workspace, context: recording } = context.settings.config;
  const { project } = context;
  const session = project.states.activeSession();
  // Where nothing was ever recorded nobody asked for it: not even the folder would be there.
  if (!workspace.watch || !recording.autoSave || typeof session !== 'string') return;
  // What still waits is not known: it would be taken for news again and again.
  const source = takeInbox(project) === 0 ? 'tool' : undefined;
  const { recorded } = await lookAround(project, workspace, {
    cwd: process.cwd(),
    session,
    source,
  });
  context.log.debug('looked at the environment');
  if (recorded) context.touched();
}

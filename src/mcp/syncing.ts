import type { Logger } from '../platform/logger.ts';

/** As `interval` durability promises. */
export const SYNC_EVERY_MS = 1000;

/** Ticks after the last append: another process may hold the lock at the first. */
const TICKS_AFTER = 3;

interface SyncTimer {
  /** Call after an append. */
  touched(): void;
  stop(): void;
}

/** Calls `sync` within a second after an append, and not while idle. */
export function createSyncTimer(sync: () => void, log: Logger): SyncTimer {
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = () => {
    try {
      sync();
    } catch (error) {
      log.warn(`the journal could not be synced: ${(error as Error).message}`);
    }
    ticks -= 1;
    if (ticks <= 0) stop();
  };
  return {
    touched() {
      ticks = TICKS_AFTER;
      timer ??= setInterval(tick, SYNC_EVERY_MS).unref();
    },
    stop,
  };
}

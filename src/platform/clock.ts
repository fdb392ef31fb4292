/** Wall time, and nothing else: durations come from differences of `now()`. */
export interface Clock {
  /** Milliseconds since the epoch, whole. */
  now(): number;
  /** Blocks the thread: only for the short waits of a lock. */
  sleep(milliseconds: number): void;
  /**
   * When the machine was started, milliseconds since the epoch; later by the time that it slept. Left out where nobody
   * can tell.
   */
  bootedAt?(): number;
}

/**
 * A clock that is set further is taken to stand there (the year 6429): the journal has 48 bits for a time, and half of what
 * they hold is left to go on from it.
 */
const TIME_MS_MAX = 2 ** 47;

export const systemClock: Clock = {
  now: () => Math.min(Date.now(), TIME_MS_MAX),
  sleep: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
  // `os.uptime()` says the same, and takes a hook a tenth of a millisecond.
  bootedAt: () => Date.now() - Number(process.hrtime.bigint() / 1_000_000n),
};

/**
 * When this process was started, milliseconds since the epoch, whole: a hook is started as soon as what it tells of has happened,
 * and looks at the clock only when its program is loaded. `performance.timeOrigin` says the same, and takes a hook a millisecond.
 */
export const processStartedAt = (): number =>
  Math.floor(systemClock.now() - 1000 * process.uptime());

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

export const systemClock: Clock = {
  now: () => Date.now(),
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
export const processStartedAt = (): number => Math.floor(Date.now() - 1000 * process.uptime());

export interface Clock {
  /** Whole milliseconds since the epoch. */
  now(): number;
  /** Blocks the thread: only for the short waits of a lock. */
  sleep(milliseconds: number): void;
  /** When the machine started, plus the time that it slept; milliseconds since the epoch. Absent where unknown. */
  bootedAt?(): number;
}

/** The year 6429. The journal has 48 bits for a time; half of its range is left to count on from here. */
const TIME_MS_MAX = 2 ** 47;

export const systemClock: Clock = {
  now: () => Math.min(Date.now(), TIME_MS_MAX),
  sleep: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
  // `os.uptime()` would cost a hook a tenth of a millisecond.
  bootedAt: () => Date.now() - Number(process.hrtime.bigint() / 1_000_000n),
};

/**
 * When this process started, whole milliseconds since the epoch: the client starts a hook right after its event.
 * `performance.timeOrigin` would cost a hook a millisecond.
 */
export const processStartedAt = (): number =>
  Math.floor(systemClock.now() - 1000 * process.uptime());

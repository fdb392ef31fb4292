/** Wall time, and nothing else: durations come from differences of `now()`. */
export interface Clock {
  /** Milliseconds since the epoch, whole. */
  now(): number;
  /** Blocks the thread: only for the short waits of a lock. */
  sleep(milliseconds: number): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
};

import { errno } from '../platform/errors.ts';
import type { JournalPorts } from './ports.ts';

/** First and longest pause between two tries of a lock, milliseconds; each pause is jittered. */
const PAUSE_MS_MIN = 0.2;
const PAUSE_MS_MAX = 8;

/** A lock file, opened once and never removed: whoever unlinks a lock file lets two holders in. */
export class LockFile {
  readonly #ports: JournalPorts;
  readonly #fd: number;

  /** @throws Node's error when the file cannot be opened (read-only disk, permissions) */
  constructor(ports: JournalPorts, path: string) {
    this.#ports = ports;
    this.#fd = ports.fs.open(path, 'a+');
  }

  /**
   * Runs `work` under the lock.
   * @returns undefined when the lock could not be had within the budget, or not at all on this system
   */
  hold<T>(budgetMs: number, work: () => T): { value: T } | undefined {
    const { lock } = this.#ports;
    if (lock === undefined || !this.#acquire(budgetMs)) return undefined;
    try {
      return { value: work() };
    } finally {
      lock.unlock(this.#fd);
    }
  }

  #acquire(budgetMs: number): boolean {
    const { clock, random } = this.#ports;
    const lock = this.#ports.lock!;
    const jitter = new Uint8Array(1);
    const start = clock.now();
    for (let pause = PAUSE_MS_MIN; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
      try {
        if (lock.tryLock(this.#fd)) return true;
      } catch (error) {
        // Some kernels and file systems answer EINVAL or ENOLCK: no lock here, so spool.
        if (errno(error) === undefined) throw error;
        return false;
      }
      if (clock.now() - start >= budgetMs) return false;
      random.fill(jitter);
      clock.sleep(pause * (0.5 + jitter[0]! / 256));
    }
  }

  close(): void {
    this.#ports.fs.close(this.#fd);
  }
}

import { errno } from '../../platform/errors.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';

/** First and longest pause between two tries of a lock, milliseconds; each pause is jittered. */
const PAUSE_MS_MIN = 0.2;
const PAUSE_MS_MAX = 8;

/** No file has this number: the kernel refuses to lock it. */
const CLOSED = -1;

/** Lock files that something else stands in place of: nobody can lock there. */
export const blockedLocks = ({ fs }: ReaderPorts, { lock, compactLock }: Layout): string[] =>
  [lock, compactLock].filter((path) => fs.statIfThere(path)?.isFile === false);

/** Pipes and devices can be opened, but not every system can lock them. */
function openLock({ fs }: JournalPorts, path: string): number {
  const fd = fs.open(path, 'a+');
  try {
    if (fs.fstat(fd).isFile) return fd;
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EISDIR' });
  } catch (error) {
    fs.close(fd);
    throw error;
  }
}

/** A lock file, opened once and never removed: whoever unlinks a lock file lets two holders in. */
export class LockFile {
  readonly #ports: JournalPorts;
  readonly #path: string;
  #fd: number;
  #isImpossible = false;

  /** @throws Node's error when the file cannot be opened, or is no file (EISDIR, ELOOP, ENXIO) */
  constructor(ports: JournalPorts, path: string) {
    this.#ports = ports;
    this.#path = path;
    this.#fd = openLock(ports, path);
  }

  /**
   * Runs `work` under the lock. @returns undefined if the lock was not free within the budget, or this system has none
   * @throws Node's error when the lock file is gone and cannot be made again, and whatever `work` throws
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

  /** Takes the lock until `close`, or until this process ends. @returns false if it was not free within the budget */
  keep(budgetMs: number): boolean {
    return this.#ports.lock !== undefined && this.#acquire(budgetMs);
  }

  /** Whether the last try showed that this system or disk has no locks. */
  get isImpossible(): boolean {
    return this.#ports.lock === undefined || this.#isImpossible;
  }

  #acquire(budgetMs: number): boolean {
    const { clock, random } = this.#ports;
    const jitter = new Uint8Array(1);
    const start = clock.now();
    // Both are looked at: a clock that is set back meanwhile must not make anybody wait for hours.
    let slept = 0;
    for (let pause = PAUSE_MS_MIN; ; pause = Math.min(pause * 2, PAUSE_MS_MAX)) {
      const got = this.#try();
      if (got !== undefined) return got;
      if (slept >= budgetMs || clock.now() - start >= budgetMs) return false;
      random.fill(jitter);
      const time = pause * (0.5 + jitter[0]! / 256);
      clock.sleep(time);
      slept += time;
    }
  }

  /** Undefined when somebody else holds it, false when this system cannot lock. */
  #try(): boolean | undefined {
    const lock = this.#ports.lock!;
    try {
      if (!lock.tryLock(this.#fd)) return undefined;
    } catch (error) {
      // Some kernels and file systems answer EINVAL or ENOLCK: no lock here, so spool.
      if (errno(error) === undefined) throw error;
      this.#isImpossible = true;
      return false;
    }
    let isThere = false;
    try {
      isThere = this.#ports.fs.fstat(this.#fd).nlink > 0;
    } finally {
      if (!isThere) lock.unlock(this.#fd);
    }
    if (isThere) return true;
    // Somebody removed the file, perhaps the whole folder: others lock the new one.
    const fd = openLock(this.#ports, this.#path);
    this.close();
    this.#fd = fd;
    return this.#try();
  }

  /** Once more is no harm: by then the number may be that of another file, which must not be closed. */
  close(): void {
    if (this.#fd === CLOSED) return;
    const fd = this.#fd;
    this.#fd = CLOSED;
    this.#ports.fs.close(fd);
  }
}

import type { Clock } from '../platform/clock.ts';

export interface DiskLimits {
  /** Bytes that are read in all. */
  bytes: number;
  /** Milliseconds from now. */
  ms: number;
}

/** What a look at the disk may take. Which limit was met is kept, to be told. */
export class DiskBudget {
  readonly #clock: Clock;
  readonly #limits: DiskLimits;
  readonly #until: number;
  readonly #met = new Set<string>();
  #bytesLeft: number;

  constructor(clock: Clock, limits: DiskLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#bytesLeft = limits.bytes;
    this.#until = clock.now() + limits.ms;
  }

  /** Whether so many bytes may be read; they are counted as read. */
  mayRead(bytes: number): boolean {
    if (!this.hasTime()) return false;
    if (bytes > this.#bytesLeft) {
      this.met(`${this.#limits.bytes} bytes were read`);
      return false;
    }
    this.#bytesLeft -= bytes;
    return true;
  }

  hasTime(): boolean {
    if (this.#clock.now() < this.#until) return true;
    this.met(`it took ${this.#limits.ms} ms`);
    return false;
  }

  /** @param limit as in "stopped when …" */
  met(limit: string): void {
    this.#met.add(limit);
  }

  /** The limits that were met, each once. */
  get limits(): string[] {
    return [...this.#met];
  }
}

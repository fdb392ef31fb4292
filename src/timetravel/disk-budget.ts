import type { Clock } from '../platform/clock.ts';

interface DiskLimits {
  bytes: number;
  ms: number;
}

/** Limits of one look at the disk; remembers which were reached. */
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

  /** Whether so many bytes may be read; counts them. */
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

  /** @param limit completes "stopped when …" */
  met(limit: string): void {
    this.#met.add(limit);
  }

  get limits(): string[] {
    return [...this.#met];
  }
}

/** A deterministic source of chance: the same seed gives the same run, on every machine. */
export class Chance {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** 0 to just below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  /** True in one of two cases. */
  coin(): boolean {
    return this.next() < 0.5;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    this.fill(bytes);
    return bytes;
  }

  fill(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = this.below(256);
  }
}

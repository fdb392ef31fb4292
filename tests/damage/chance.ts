import { seeded } from '../seeded.ts';

/** A deterministic source of chance: the same seed gives the same run, on every machine. */
export class Chance {
  readonly seed: number;
  /** 0 to just below 1. */
  readonly next: () => number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.next = seeded(this.seed);
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

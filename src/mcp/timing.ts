/** The last few minutes of a busy session. */
export const SAMPLES_MAX = 1024;

/** Milliseconds; zeros if nothing was measured yet. */
export interface TimingSummary {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

export class Timing {
  readonly #samples: number[] = [];
  #count = 0;

  add(milliseconds: number): void {
    this.#samples[this.#count % SAMPLES_MAX] = milliseconds;
    this.#count += 1;
  }

  /** `count` covers all durations, the quantiles the newest ones. */
  summary(): TimingSummary {
    const sorted = [...this.#samples].sort((a, b) => a - b);
    const quantile = (part: number) => rounded(sorted[Math.ceil(part * sorted.length) - 1] ?? 0);
    return { count: this.#count, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
  }
}

/** To the microsecond. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

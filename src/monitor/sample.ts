import type { ContextSampled } from '../events/types.ts';

/** How full the context is at one moment. */
export interface Sample {
  /** Input and cached tokens of the newest call of the main thread; null before the first one. */
  tokens: number | null;
  window: number;
  windowFrom: ContextSampled['windowFrom'];
  /** Rounded; may exceed 100. Null while nothing is known. */
  percent: number | null;
  /** Set where the number is only near: after a compaction, or from a client's cumulative count. */
  isRough: boolean;
  via: ContextSampled['via'];
  model?: string;
  costUsd?: number;
  limits?: NonNullable<ContextSampled['limits']>;
}

import type { Trace } from './common-types.ts';
import type { EventType } from './types.ts';

/** How far a transcript has been read: the cursor of reconciliation. */
export interface TranscriptRead {
  path: string;
  /** Bytes. */
  from: number;
  to: number;
  /** XXH64 of the up to 256 bytes before `to`, hex: tells a replaced file from a grown one. */
  tail: string;
  records: number;
  /** Lines that are not JSON objects. */
  malformed: number;
  /** Record types that this version does not know, with their counts. */
  unknown: Record<string, number>;
  /** Set when the file went on behind `to`. */
  partial?: true;
  /** Set when the journal may have facts from behind `to`: it may have read another copy of the transcript further. */
  overlapping?: true;
  /** The latest time in it up to `to`, milliseconds. */
  latest?: number;
  /** The prompt that was being worked on at `to`; a later reading goes on counting. */
  running?: RunningPrompt;
}

export interface RunningPrompt {
  promptId: string;
  /** How many prompts and compactions with this id were read so far. */
  prompts: number;
  compactions: number;
}

/** More about a fact that another witness recorded first. */
export interface FactEnriched {
  /** The fact's id, hex. */
  of: string;
  /** The fact's type: tells what folds it. */
  type: EventType;
  trace?: Trace;
  /** Fields of the fact's data that the later witness knows better. */
  more?: Record<string, unknown>;
}

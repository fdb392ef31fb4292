import type { Recorder } from '../capture/recorder.ts';
import type { GroupCommit } from '../journal/append/group-commit.ts';
import type { Logger } from '../platform/logger.ts';
import type { Project } from '../project/open.ts';
import type { Afterwards } from './afterwards.ts';
import type { Offer } from './offer.ts';
import type { Settings } from './settings.ts';
import type { Timing, TimingSummary } from './timing.ts';

/** The result of recording a hook's event. */
export type RecordOutcome =
  | 'recorded'
  /** In the inbox, because the journal was locked. */
  | 'spooled'
  /** Not an event, or already known. */
  | 'ignored'
  /** Neither journal nor inbox could be written. */
  | 'failed';

/** What a server reports about itself. */
export interface ServerFacts {
  /** The process that the client started. */
  pid: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  readOnly: boolean;
  events: Record<RecordOutcome, number>;
  recordMs: TimingSummary;
}

/** What the tools of one running server share. */
export interface ServerContext {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly recordCounts: Record<RecordOutcome, number>;
  /** True from the first failed write until the next successful one. */
  readOnly: boolean;
  /** Opened on first use. */
  readonly project: Project;
  /** Throws if the journal cannot be written. */
  readonly recorder: Recorder;
  readonly settings: Settings;
  readonly offer: Offer;
  readonly log: Logger;
  /** The server's facts, also in its worker process. */
  facts(): ServerFacts;
  readonly recordTimes: Timing;
  readonly hasAppended: boolean;
  /** Appends simultaneous events together. Readers flush it first. */
  readonly group: GroupCommit;
  readonly afterwards: Afterwards;
  /** Call after an append: the journal is then synced within a second. */
  touched(): void;
  /** Closes the journal; the next use opens it again. */
  reopen(): void;
  /** From here on `hasErased` notices erasures. */
  watchErasures(): void;
  /** Whether events were erased since the last call: memory may still hold them. */
  hasErased(): boolean;
}

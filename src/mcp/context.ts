import type { Recorder } from '../capture/recorder.ts';
import type { GroupCommit } from '../journal/append/group-commit.ts';
import type { Logger } from '../platform/logger.ts';
import type { Project } from '../project/open.ts';
import type { Afterwards } from './afterwards.ts';
import type { Offer } from './offer.ts';
import type { Settings } from './settings.ts';
import type { Timing, TimingSummary } from './timing.ts';

/** What became of the events that hooks brought. */
export type RecordOutcome =
  /** In the journal. */
  | 'recorded'
  /** In the inbox: the journal's lock was not to be had in time. */
  | 'spooled'
  /** Noise, input that says no event, or a fact that is known already. */
  | 'ignored'
  /** Neither journal nor inbox could be written. */
  | 'failed';

/** What a server counts of itself. */
export interface ServerCounts {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly recordCounts: Record<RecordOutcome, number>;
  /** True from the first event that could not be written until one was. */
  readOnly: boolean;
}

/** What a running server says of itself. */
export interface ServerFacts {
  /** The process that the client started. */
  pid: number;
  /** As in `ServerCounts`. */
  startedAt: number;
  readOnly: boolean;
  events: Record<RecordOutcome, number>;
  recordMs: TimingSummary;
}

/** What the tools of one running server share. */
export interface ServerContext extends ServerCounts {
  /** The journal's project, opened when first asked for. */
  readonly project: Project;
  /** The project's; throws where the journal cannot be written. */
  readonly recorder: Recorder;
  readonly settings: Settings;
  /** What a client is told of and may ask for. */
  readonly offer: Offer;
  readonly log: Logger;
  /** Of the server, also in the process that answers for it. */
  facts(): ServerFacts;
  readonly recordTimes: Timing;
  /** True when this server appended anything. */
  readonly hasAppended: boolean;
  /** What hooks bring at the same time is appended together. Whoever reads the journal flushes it first. */
  readonly group: GroupCommit;
  /** Of what was found for an answer, what is stored behind it. */
  readonly afterwards: Afterwards;
  /** To be called after an append: has the journal synced within a second. */
  touched(): void;
  /** Lets go of the journal; the next use opens it again, as it is on disk then. */
  reopen(): void;
  /** From here on `hasErased` knows of what is erased. Where the journal cannot be opened, nothing is read of it. */
  watchErasures(): void;
  /** Whether events were erased since this was last asked: what was read before may hold them. */
  hasErased(): boolean;
}

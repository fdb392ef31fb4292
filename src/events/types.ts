/**
 * The shapes of every event's data. Plain types: the hook has no validator; `shape.ts` checks by hand what is read,
 * `schemas/` says the same in zod for the server, the CLI and the tests, and tests hold the three together. Optional
 * fields are absent, never null.
 */

import type {
  CompactionFinished,
  CompactionStarted,
  MessageRecorded,
  PromptSubmitted,
  SubagentStarted,
  SubagentStopped,
  UsageSampled,
} from './conversation-types.ts';
import type {
  ErasureDone,
  ErasureRequested,
  EventSuperseded,
  JournalBased,
} from './erasure-types.ts';
import type {
  CheckpointCreated,
  ContextCleared,
  ContextMerged,
  ContextRestored,
  ContextSaved,
  PreferenceRetracted,
  RecallInjected,
} from './own-types.ts';
import type { HookReceived, SessionEnded, SessionStarted, TurnEnded } from './session-types.ts';
import type {
  SnapshotAnnotated,
  SnapshotCompleted,
  SnapshotCreated,
  SnapshotRemoved,
} from './snapshot-types.ts';
import type { ToolCalled, ToolFailed, ToolSucceeded } from './tool-types.ts';
import type { FactEnriched, TranscriptRead } from './witness-types.ts';
import type { EnvironmentObserved, EnvironmentTold, WorkSaved } from './workspace-types.ts';

export type * from './common-types.ts';
export type * from './conversation-types.ts';
export type * from './erasure-types.ts';
export type * from './own-types.ts';
export type * from './session-types.ts';
export type * from './snapshot-types.ts';
export type * from './tool-types.ts';
export type * from './witness-types.ts';
export type * from './workspace-types.ts';

/** Every event's data, by the event's type. */
export interface EventData {
  'session.started': SessionStarted;
  'session.ended': SessionEnded;
  'prompt.submitted': PromptSubmitted;
  'message.recorded': MessageRecorded;
  'tool.called': ToolCalled;
  'tool.succeeded': ToolSucceeded;
  'tool.failed': ToolFailed;
  'subagent.started': SubagentStarted;
  'subagent.stopped': SubagentStopped;
  'compaction.started': CompactionStarted;
  'compaction.finished': CompactionFinished;
  'turn.ended': TurnEnded;
  'usage.sampled': UsageSampled;
  'transcript.read': TranscriptRead;
  'fact.enriched': FactEnriched;
  'recall.injected': RecallInjected;
  'context.saved': ContextSaved;
  'context.restored': ContextRestored;
  'context.cleared': ContextCleared;
  'context.merged': ContextMerged;
  'checkpoint.created': CheckpointCreated;
  'snapshot.created': SnapshotCreated;
  'snapshot.completed': SnapshotCompleted;
  'snapshot.annotated': SnapshotAnnotated;
  'snapshot.removed': SnapshotRemoved;
  'preference.retracted': PreferenceRetracted;
  'journal.based': JournalBased;
  'work.saved': WorkSaved;
  'environment.observed': EnvironmentObserved;
  'environment.told': EnvironmentTold;
  'hook.received': HookReceived;
  'event.superseded': EventSuperseded;
  'erasure.requested': ErasureRequested;
  'erasure.done': ErasureDone;
}

export type EventType = keyof EventData;

export type Source = 'hook' | 'mcp-hook' | 'transcript' | 'tool' | 'cli' | 'import' | 'journal';

/** An event as readers get it: the envelope, and where it stands in the journal. */
export interface JournalEvent<T = unknown> {
  seq: number;
  /** 32 hex digits. */
  id: string;
  type: string;
  version: number;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: string;
  /** Milliseconds since the epoch, the source's own time. */
  at: number | null;
  data: T;
}

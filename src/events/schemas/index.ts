import type * as z from 'zod';
import type { EventData, EventType } from '../types.ts';
import * as conversation from './conversation.ts';
import * as erasure from './erasure.ts';
import * as own from './own.ts';
import * as session from './session.ts';
import * as snapshot from './snapshot.ts';
import * as tool from './tool.ts';
import * as witness from './witness.ts';
import * as workspace from './workspace.ts';

/** The schema of every event's data, by type, in the version of today: what `upcast` returns. */
export const SCHEMAS = {
  'session.started': session.sessionStarted,
  'session.ended': session.sessionEnded,
  'prompt.submitted': conversation.promptSubmitted,
  'message.recorded': conversation.messageRecorded,
  'tool.called': tool.toolCalled,
  'tool.succeeded': tool.toolSucceeded,
  'tool.failed': tool.toolFailed,
  'subagent.started': conversation.subagentStarted,
  'subagent.stopped': conversation.subagentStopped,
  'compaction.started': conversation.compactionStarted,
  'compaction.finished': conversation.compactionFinished,
  'turn.ended': session.turnEnded,
  'usage.sampled': conversation.usageSampled,
  'transcript.read': witness.transcriptRead,
  'fact.enriched': witness.factEnriched,
  'recall.injected': own.recallInjected,
  'context.saved': own.contextSaved,
  'context.restored': own.contextRestored,
  'context.cleared': own.contextCleared,
  'context.merged': own.contextMerged,
  'checkpoint.created': own.checkpointCreated,
  'snapshot.created': snapshot.snapshotCreated,
  'snapshot.completed': snapshot.snapshotCompleted,
  'snapshot.annotated': snapshot.snapshotAnnotated,
  'snapshot.removed': snapshot.snapshotRemoved,
  'preference.retracted': own.preferenceRetracted,
  'journal.based': erasure.journalBased,
  'work.saved': workspace.workSaved,
  'environment.observed': workspace.environmentObserved,
  'environment.told': workspace.environmentTold,
  'hook.received': session.hookReceived,
  'event.superseded': erasure.eventSuperseded,
  'erasure.requested': erasure.erasureRequested,
  'erasure.done': erasure.erasureDone,
} satisfies { [T in EventType]: z.ZodType<EventData[T]> };

/** Does not compile when a schema and its TypeScript type have come apart, in either direction. */
export type Agreed = AllTrue<{
  [T in EventType]: Equal<z.infer<(typeof SCHEMAS)[T]>, EventData[T]>;
}>;
type AllTrue<T extends Record<EventType, true>> = T;
type Equal<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

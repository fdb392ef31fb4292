import type { Durability } from '../journal/append/inbox.ts';
import type { EventType } from './types.ts';

export interface EventKind {
  /** Of the data, as it is written today. */
  version: number;
  /** What an acknowledgement of it promises; see `Durability`. */
  durability: Durability;
}

/** Every event that ben10 writes. A name is never reused for something else. */
export const CATALOGUE: Record<EventType, EventKind> = {
  'session.started': { version: 2, durability: 'interval' },
  'session.ended': { version: 1, durability: 'disk' },
  'prompt.submitted': { version: 1, durability: 'interval' },
  'message.recorded': { version: 1, durability: 'process' },
  'tool.called': { version: 1, durability: 'process' },
  'tool.succeeded': { version: 1, durability: 'process' },
  'tool.failed': { version: 1, durability: 'process' },
  'subagent.started': { version: 1, durability: 'process' },
  'subagent.stopped': { version: 1, durability: 'interval' },
  'compaction.started': { version: 1, durability: 'disk' },
  'compaction.finished': { version: 1, durability: 'disk' },
  'turn.ended': { version: 1, durability: 'disk' },
  'usage.sampled': { version: 1, durability: 'process' },
  'transcript.read': { version: 1, durability: 'process' },
  'fact.enriched': { version: 1, durability: 'process' },
  'recall.injected': { version: 1, durability: 'interval' },
  'context.saved': { version: 1, durability: 'disk' },
  'context.restored': { version: 1, durability: 'interval' },
  'context.cleared': { version: 1, durability: 'disk' },
  'context.merged': { version: 1, durability: 'disk' },
  'checkpoint.created': { version: 1, durability: 'disk' },
  'snapshot.created': { version: 1, durability: 'disk' },
  'snapshot.completed': { version: 1, durability: 'interval' },
  'snapshot.annotated': { version: 1, durability: 'disk' },
  'snapshot.removed': { version: 1, durability: 'disk' },
  'preference.retracted': { version: 1, durability: 'disk' },
  'journal.based': { version: 1, durability: 'disk' },
  'work.saved': { version: 1, durability: 'disk' },
  'environment.observed': { version: 1, durability: 'process' },
  'environment.told': { version: 1, durability: 'process' },
  'hook.received': { version: 1, durability: 'process' },
  'event.superseded': { version: 1, durability: 'disk' },
  'erasure.requested': { version: 1, durability: 'disk' },
  'erasure.done': { version: 1, durability: 'disk' },
};

const KNOWN: ReadonlySet<string> = new Set(Object.keys(CATALOGUE));

export const isKnownType = (type: string): type is EventType => KNOWN.has(type);

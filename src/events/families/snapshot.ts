import {
  type EventDataOf,
  event,
  flag,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  type TypeOf,
  words,
} from '../fields.ts';

/** Sizes of a context. */
const metrics = object({
  /** Tokens in the model's context as the client last reported them; absent if it never did. */
  tokens: optional(number),
  messages: number,
  files: number,
  toolExecutions: number,
});
/** Why a compaction happened: the context was nearly full, by request, or by ben10's own limits. */
const trigger = oneOf('threshold', 'manual', 'memory_pressure');
/** A snapshot's id, 16 hex digits. */
const snapshot = name;

export const SNAPSHOT = {
  'snapshot.created': event('disk', 'The whole state was stored just before a compaction.', {
    snapshot,
    trigger,
    /** The state covers everything up to this seq. */
    upto: number,
    /** The stored state, relative to `.ben10`. */
    file: name,
    before: metrics,
    /** SHA-256 of the state's MessagePack, hex; empty after an erasure that may have changed the state. */
    contentHash: name,
    /** Bytes of the state's MessagePack and of its first file; 0 after such an erasure. */
    plainBytes: number,
    bytes: number,
  }),
  'snapshot.completed': event('interval', 'The compaction that a snapshot was taken for is over.', {
    snapshot,
    after: metrics,
  }),
  /** A field that is present replaces the earlier value. */
  'snapshot.annotated': event(
    'disk',
    'A snapshot was pinned, unpinned, tagged or noted, or its state was stored anew.',
    {
      snapshot,
      /** Of the state that was rebuilt and stored again; empty as above. */
      contentHash: optional(name),
      pinned: optional(flag),
      tags: optional(list(words)),
      note: optional(words),
    },
  ),
  'snapshot.removed': event('disk', 'A snapshot’s stored state was removed.', {
    snapshot,
    why: oneOf('asked', 'count', 'age', 'size'),
  }),
};

type Data<T extends keyof typeof SNAPSHOT> = EventDataOf<(typeof SNAPSHOT)[T]>;
export type SnapshotCreated = Data<'snapshot.created'>;
export type SnapshotCompleted = Data<'snapshot.completed'>;
export type SnapshotAnnotated = Data<'snapshot.annotated'>;
export type SnapshotRemoved = Data<'snapshot.removed'>;
export type ContextMetrics = TypeOf<typeof metrics>;
export type SnapshotTrigger = TypeOf<typeof trigger>;

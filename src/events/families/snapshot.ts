import * as f from '../fields.ts';

/** Sizes of a context. */
export const metrics = f.object({
  /** Tokens in the model's context as the client last reported them; absent if it never did. */
  tokens: f.optional(f.number),
  messages: f.number,
  files: f.number,
  toolExecutions: f.number,
});
/** Why a compaction happened: the context was nearly full, by request, or by ben10's own limits. */
const trigger = f.oneOf('threshold', 'manual', 'memory_pressure');
/** A snapshot's id, 16 hex digits. */
const snapshot = f.name;

export const SNAPSHOT = {
  'snapshot.created': f.quiet('disk', 'The whole state was stored just before a compaction.', {
    snapshot,
    trigger,
    /** The state covers everything up to this seq. */
    upto: f.number,
    /** The stored state, relative to `.ben10`. */
    file: f.name,
    before: metrics,
    /** SHA-256 of the state's MessagePack, hex; empty after an erasure that may have changed the state. */
    contentHash: f.name,
    /** Bytes of the state's MessagePack and of its first file; 0 after such an erasure. */
    plainBytes: f.number,
    bytes: f.number,
  }),
  'snapshot.completed': f.quiet(
    'interval',
    'The compaction that a snapshot was taken for is over.',
    {
      snapshot,
      after: metrics,
    },
  ),
  /** A field that is present replaces the earlier value. */
  'snapshot.annotated': f.event(
    'disk',
    'A snapshot was pinned, unpinned, tagged or noted, or its state was stored anew.',
    {
      snapshot,
      /** Of the state that was rebuilt and stored again; empty as above. */
      contentHash: f.optional(f.name),
      pinned: f.optional(f.flag),
      tags: f.optional(f.list(f.words)),
      note: f.optional(f.words),
    },
  ),
  'snapshot.removed': f.event('disk', 'A snapshot’s stored state was removed.', {
    snapshot,
    why: f.oneOf('asked', 'count', 'age', 'size'),
  }),
};

type Data<T extends keyof typeof SNAPSHOT> = f.EventDataOf<(typeof SNAPSHOT)[T]>;
export type SnapshotCreated = Data<'snapshot.created'>;
export type SnapshotCompleted = Data<'snapshot.completed'>;
export type SnapshotAnnotated = Data<'snapshot.annotated'>;
export type SnapshotRemoved = Data<'snapshot.removed'>;
export type ContextMetrics = f.TypeOf<typeof metrics>;
export type SnapshotTrigger = f.TypeOf<typeof trigger>;

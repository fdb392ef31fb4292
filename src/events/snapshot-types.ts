/** Sizes of a context. */
export interface ContextMetrics {
  /** In the model's context, as the client last said it; absent when it never did. */
  tokens?: number;
  messages: number;
  files: number;
  toolExecutions: number;
}

/** Why a compaction came: the context was nearly full, somebody asked for it, or ben10's own limits did. */
export type SnapshotTrigger = 'threshold' | 'manual' | 'memory_pressure';

/** The whole state, stored just before a compaction. */
export interface SnapshotCreated {
  /** 16 hex digits. */
  snapshot: string;
  trigger: SnapshotTrigger;
  /** The state is everything up to this seq. */
  upto: number;
  /** Of the stored state, relative to `.ben10`. */
  file: string;
  before: ContextMetrics;
  /** SHA-256 of the state's MessagePack, hex; empty since something was erased that it may be made of. */
  contentHash: string;
  /** Of the state's MessagePack, and of its file as it was written first; bytes. 0 since then. */
  plainBytes: number;
  bytes: number;
}

/** The compaction that a snapshot was taken for is over. */
export interface SnapshotCompleted {
  snapshot: string;
  after: ContextMetrics;
}

/** What is said of a snapshot later; a field that is there replaces what was said before. */
export interface SnapshotAnnotated {
  snapshot: string;
  /** Of the state that was made again and stored in its place; empty as above. */
  contentHash?: string;
  pinned?: boolean;
  tags?: string[];
  note?: string;
}

/** A snapshot's stored state is gone. */
export interface SnapshotRemoved {
  snapshot: string;
  why: 'asked' | 'count' | 'age' | 'size';
}

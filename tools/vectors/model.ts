/** What `vectors/manifest.json` says of one event, one damage and one vector. */
export interface ExpectedEvent {
  seq: number;
  /** Null in a tombstone. */
  type: string | null;
  /** 32 hex digits. */
  id: string;
  /** Of the MessagePack payload, 64 hex digits; null in a tombstone. */
  sha256: string | null;
  /** Given where decoding `data` is the point. */
  data?: unknown;
  /** True when the event is there and its `data` must be refused. */
  refused?: true;
}

export interface ExpectedWaiting {
  type: string;
  id: string;
  sha256: string;
}

export interface ExpectedDamage {
  kind: string;
  /** File name without its folder. */
  segment: string;
  offset: number;
  firstSeq: number | null;
  lastSeq: number | null;
}

/** A folder shaped like `.ben10/journal`. */
export interface JournalVector {
  path: string;
  kind: 'journal';
  why: string;
  events: ExpectedEvent[];
  waiting: ExpectedWaiting[];
  damage: ExpectedDamage[];
  /** True when the journal must be refused as the work of a later version: no damage, and nothing is appended. */
  later?: true;
}

/** A block container in one file; `plain` is null when it must be refused. */
export interface ContainerVector {
  path: string;
  kind: 'container';
  why: string;
  plain: { bytes: number; sha256: string } | null;
}

/** One inbox file; `events` is null when it must be refused. */
export interface SpoolVector {
  path: string;
  kind: 'spool';
  why: string;
  events: ExpectedWaiting[] | null;
}

/** A `synced` file; null when it must be ignored. */
export interface HintVector {
  path: string;
  kind: 'hint';
  why: string;
  hint: { syncedUpto: number; syncedAt: number } | null;
}

export type Vector = JournalVector | ContainerVector | SpoolVector | HintVector;

export interface VectorManifest {
  format: number;
  vectors: Vector[];
}

/** A vector with the bytes of its files, by their path inside the vector; a single file has the path ''. */
export interface MadeVector {
  vector: Vector;
  files: ReadonlyMap<string, Buffer>;
}

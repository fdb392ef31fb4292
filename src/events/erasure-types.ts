import type { Text } from './common-types.ts';

/** What stands for an erased event: readers give it in the tombstone's place, under the tombstone's id and seq. */
export interface EventSuperseded {
  /** Of the tombstone. */
  seq: number;
  /** The envelope as it was, its data without what had to go. */
  event: {
    type: string;
    version: number;
    session: string | null;
    agent: string | null;
    client: string | null;
    source: string;
    at: number | null;
    data: unknown;
  };
}

/** Which events are erased, never what was in them. */
export interface ErasureRequested {
  /** How they were found. */
  by: 'event' | 'pattern' | 'rule' | 'age';
  /** The redaction rule, where `by` is `rule`. */
  rule?: string;
  /** Seqs, rising. */
  targets: number[];
  /** Where `by` is `age`, everything up to this seq goes as well, but for `kept`. */
  upto?: number;
  kept?: number[];
  /** First and last seq of the `journal.based` events that stand for it. */
  bases?: number[];
  /** Whose seqs they are, 32 hex digits; the journal's own where it is left out. */
  origin?: string;
}

export interface ErasureDone {
  /** Seq of the request. */
  request: number;
  /** Tombstones that were made, segments that were rewritten, and blobs that were removed, by who finished it. */
  events: number;
  segments: number;
  blobs: number;
}

/** What was known of events that were dropped: a projection's state when they had arrived, from which it is folded on. */
export interface JournalBased {
  projection: string;
  /** Of the projection: an older state is upcast. */
  version: number;
  /** The state is everything up to this seq. */
  upto: number;
  /** As JSON. */
  state: Text;
  /** Which of the events up to there are in the state: as of a stored one. */
  frontier: {
    seq: number;
    folded: number[];
    place: { time: number; rank: 0 | 1; thread: string; position: number } | null;
    reached: [thread: string, position: number][];
    recent: string[];
  };
}

/** What stands for an erased event: readers give it in the husk's place, under the husk's id and seq. */
export interface EventSuperseded {
  /** Of the husk. */
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
  by: 'event' | 'pattern' | 'rule';
  /** The redaction rule, where `by` is `rule`. */
  rule?: string;
  /** Seqs, rising. */
  targets: number[];
  /** Whose seqs they are, 32 hex digits; the journal's own where it is left out. */
  origin?: string;
}

export interface ErasureDone {
  /** Seq of the request. */
  request: number;
  /** Husks that were made, segments that were rewritten, and blobs that were removed, by who finished it. */
  events: number;
  segments: number;
  blobs: number;
}

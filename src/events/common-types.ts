/** What stands in an event for a text, or a whole field, that was too large for it. */
export interface BlobReference {
  /** The blob's name, 64 hex digits; empty when only the head was kept. */
  $blob: string;
  bytes: number;
  /** How it starts. */
  head: string;
}

/** Text of any length: above 64 KiB it is kept as a blob. */
export type Text = string | BlobReference;

/** Where a fact stands in the client's own transcript: known once the transcript has been read. */
export interface Trace {
  /** Byte offset of its record in the transcript of its thread, plus the number of the part in it: the client's order. */
  pos: number;
  /** Of its record. */
  uuid?: string;
  /** The latest time in the transcript up to there, milliseconds, where its own is earlier or not known: some are. */
  time?: number;
  /**
   * Only where the conversation was rewound: the last byte offset that is still on the live branch. What stands
   * between there and here is an abandoned branch.
   */
  rewoundTo?: number;
}

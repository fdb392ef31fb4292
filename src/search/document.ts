/** What a document tells of. The order is that of the index files: append only. */
export const KINDS = [
  'prompt',
  'answer',
  'call',
  'edit',
  'task',
  'summary',
  'commit',
  'work',
] as const;
export type Kind = (typeof KINDS)[number];

/** Who says so: what happened, the user, the model, or a machine (a compaction's summary). Append only. */
export const BASES = ['ran', 'user', 'agent', 'machine'] as const;
export type Basis = (typeof BASES)[number];

/** The parts of a document, which weigh differently. Append only. */
export const FIELDS = ['title', 'names', 'files', 'body', 'output'] as const;
export type Field = (typeof FIELDS)[number];

/** One fact to be found. */
export interface SearchDocument {
  seq: number;
  session: string | null;
  /** Milliseconds since 1970; 0 if unknown. */
  at: number;
  kind: Kind;
  basis: Basis;
  /** The seq of the call of which it is the outcome, or of the fact to which a second source adds: one match with it. */
  joins?: number;
  texts: Partial<Record<Field, string>>;
}

/** What the index keeps of a conversation's course: needed to tell abandoned stretches and branches. */
export interface Mark {
  seq: number;
  session: string | null;
  at: number;
  /** Byte offset in the main thread's transcript. */
  pos?: number;
  /** Last byte offset on the live branch: here the conversation went back. */
  rewoundTo?: number;
  /** The git branch from here on. */
  branch?: string;
}

/** What an index file covers. */
export interface IndexRange {
  firstSeq: number;
  lastSeq: number;
  /** The journal's chain before the first and at the last event, 32 bytes. */
  chainBefore: Buffer;
  chainAt: Buffer;
  erasureEpoch: number;
}

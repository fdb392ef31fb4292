/** What ben10 gave back to the model: by reference, so that it is no evidence of anything. */
export interface RecallInjected {
  /** The hook that carried it. */
  event: string;
  source: string;
  chars: number;
  items: { kind: string; seq: number; key: string }[];
}

export interface ContextSaved {
  name: string;
  /** The state that was saved: everything up to this seq. */
  upto: number;
  file: string;
}

export interface ContextRestored {
  point: string;
  mode: string;
  chars: number;
  /** The newest event of the state that was given; earlier versions did not say it. */
  upto?: number;
}

export interface CheckpointCreated {
  upto: number;
  projections: string[];
}

/** Starts an empty context for the session; what was before stays in the journal. */
export interface ContextCleared {
  /** The state that was left behind: everything up to this seq. */
  upto: number;
}

/** What a state believes of files that were changed from outside. */
export interface ContextMerged {
  strategy: 'journal' | 'disk' | 'newest';
  files: {
    path: string;
    /** Whose word counts from now on. */
    believed: 'journal' | 'disk';
    /** Of the content on disk, hex: as the files projection names a text, of anything else SHA-256. Absent when there is no such file. */
    hash?: string;
    /** Of what was hashed. */
    bytes?: number;
    /** Where the file is now, when it was moved and the disk counts. */
    movedTo?: string;
  }[];
}

/** Something that was taken for a preference of the user's, and is none. */
export interface PreferenceRetracted {
  /** Of the preference, as the projection names it. */
  key: string;
  /** Its words, by which it is known in other sessions; earlier versions did not say them. */
  text?: string;
}

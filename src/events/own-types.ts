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
}

export interface CheckpointCreated {
  upto: number;
  projections: string[];
}

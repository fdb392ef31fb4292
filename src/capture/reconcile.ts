import type { Source } from '../events/types.ts';
import type { JournalPorts } from '../journal/ports.ts';
import type { JournalReader } from '../journal/reader.ts';
import type { CursorsState } from '../projections/folds/cursors.ts';
import type { JournalFacts } from './journal-facts.ts';
import { Reconciliation } from './reconciliation.ts';
import type { Recorder } from './recorder.ts';
import { TranscriptFile } from './transcript-file.ts';
import { withWaiting } from './waiting.ts';

export interface ReconcileOptions {
  ports: JournalPorts;
  reader: JournalReader;
  recorder: Recorder;
  /** Of the session. */
  cursors: CursorsState;
  session: string;
  /** Null for the main thread. */
  agent: string | null;
  path: string;
  source: Extract<Source, 'transcript' | 'import'>;
  /** Stop behind the batch in which this time is reached, milliseconds since the epoch. */
  deadline?: number;
  progress?: (bytes: number) => void;
  /**
   * What the journal holds, when it is known already: several imports need to look at it only once. Where it shows
   * damage, the transcript is read from its beginning, so that what was lost comes back.
   */
  journal?: JournalFacts;
}

export interface Reconciled {
  /** Facts that nobody had told yet. */
  added: number;
  /** Facts that a hook had told, and that now have their place. */
  enriched: number;
  records: number;
  malformed: number;
  unknown: Record<string, number>;
  /** False when the deadline came first. */
  complete: boolean;
  from: number;
  to: number;
}

/**
 * Reads a transcript from where it was last left and appends whatever no hook delivered. Records that cannot be
 * parsed, or are not known, are counted and passed over: the format is the client's own and changes.
 * @returns undefined when there is no such transcript
 * @throws Ben10Error when the journal cannot be written
 */
export function reconcile(options: ReconcileOptions): Reconciled | undefined {
  const file = TranscriptFile.open(options.ports.fs, options.path);
  if (file === undefined) return undefined;
  try {
    const { reader, session } = options;
    const cursors = withWaiting(options.cursors, reader.inbox(), session);
    return new Reconciliation({ ...options, cursors }, file).run();
  } finally {
    file.close();
  }
}

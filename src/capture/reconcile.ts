import { type Reconciled, type ReconcileOptions, Reconciliation } from './reconciliation.ts';
import { TranscriptFile } from './transcript-file.ts';
import { withWaiting } from './waiting.ts';

/**
 * Reads a transcript from where it was last left and appends what no hook delivered. Malformed and unknown records
 * are counted and skipped: the format is the client's own and changes.
 * @returns undefined if there is no such transcript
 * @throws Ben10Error if the journal cannot be written
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

import { decodeEvent } from '../events/decode.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Entry } from '../journal/format/frame.ts';
import { ArrivalHistory } from '../projections/arrival-history.ts';
import { type CursorsState, cursors } from '../projections/folds/cursors.ts';
import { type Reconciled, type ReconcileOptions, Reconciliation } from './reconciliation.ts';
import { TranscriptFile } from './transcript-file.ts';

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

/** An append takes at least so many along; later ones may get their seqs after it. */
const WAITING_MAX = 256;

/**
 * The cursors with the events of the inbox: these get their seqs before anything appended now.
 * @param state is not changed
 */
export function withWaiting(
  state: CursorsState,
  waiting: readonly NewEvent[],
  session: string,
): CursorsState {
  const history = new ArrivalHistory();
  for (const { id, typeTag, payload } of waiting.slice(0, WAITING_MAX)) {
    const event = decodeEvent({ kind: FRAME_KIND.event, seq: 0, id, typeTag, payload } as Entry);
    if (event?.session === session && cursors.types.includes(event.type)) history.add(event);
  }
  const facts = history.ordered();
  if (facts.length === 0) return state;
  return facts.reduce((own, { fact }) => cursors.apply(own, fact), structuredClone(state));
}

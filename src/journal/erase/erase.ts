import { blobPath } from '../append/blobs.ts';
import type { NewEvent } from '../append/inbox.ts';
import { assertFits } from '../append/write-errors.ts';
import type { Envelope } from '../format/envelope.ts';
import type { JournalPorts } from '../format/ports.ts';
import { assertReal } from './doomed.ts';
import { type ErasureRequest, SUPERSEDED_TYPE, supersededEvent } from './events.ts';
import { assertErasable, type ErasureJob, type Finished } from './finish.ts';
import { beginErasure, type Part, withErasureJob } from './job.ts';
import { addUp } from './resume.ts';
import type { ErasureCodecs } from './segment.ts';
import { byOrigin, targetsOf } from './targets.ts';

/** An event to erase. */
export interface ChosenEvent {
  /** 32 hex digits. */
  origin: string;
  seq: number;
  /** What replaces it; left out if all of it goes. */
  replacement?: Envelope;
}

export interface Choice extends Pick<ErasureRequest, 'by' | 'rule'> {
  events: readonly ChosenEvent[];
  /** Names of blobs to remove that no event names. */
  blobs: readonly string[];
  /** Absolute paths of other files to remove in any case. */
  files: readonly string[];
}

export interface Erased extends Finished {
  /** Inbox files that could not be read: their content is unknown. */
  waiting: string[];
}

/** Seqs in one request: it must fit into an event. */
export const REQUEST_EVENTS_MAX = 50_000;

/**
 * Erases events for good: finishes earlier erasures, drains the inbox, asks which events, and replaces them by tombstones. Nobody
 * appends meanwhile: hooks write to the inbox. A crash leaves an erasure that was not begun, or one that the next process finishes.
 * @param choose is called with the locks held and the inbox empty
 * @throws Ben10Error CONTEXT_LOCKED, JOURNAL_UNSAFE, JOURNAL_DAMAGED if an event is in a damaged segment (nothing was erased
 * then), FS_WRITE_ERROR, FS_PERMISSION_DENIED; what `choose` throws
 */
export function eraseEvents(
  ports: JournalPorts,
  root: string,
  codecs: ErasureCodecs,
  choose: () => Choice,
): Erased {
  return withErasureJob(ports, root, codecs, (job, totals) => {
    const { layout, journal } = job;
    const choice = choose();
    for (const [origin, own] of byOrigin(choice.events))
      assertErasable(job, origin, targetsOf({ targets: own.map(({ seq }) => seq) }));
    const also = [...choice.files, ...choice.blobs.map((name) => blobPath(layout, name))];
    assertReal(ports, layout, also);
    addUp(totals, beginErasure(job, [...requestsOf(job, choice)], also));
    return { ...totals, waiting: journal.unreadable() };
  });
}

/** One request per origin, or several for very many events; one without targets if only files go. */
function* requestsOf({ ports }: ErasureJob, choice: Choice): Generator<Part> {
  const { by, rule, events, blobs, files } = choice;
  const how = rule === undefined ? { by } : { by, rule };
  if (events.length === 0 && blobs.length + files.length > 0)
    yield { request: { ...how, targets: [] }, before: [] };
  for (const [origin, own] of byOrigin(events)) {
    const sorted = own.toSorted((a, b) => a.seq - b.seq);
    for (let at = 0; at < sorted.length; at += REQUEST_EVENTS_MAX) {
      const some = sorted.slice(at, at + REQUEST_EVENTS_MAX);
      const before = some.flatMap((event) => replacementOf(ports, event) ?? []);
      yield { request: { ...how, targets: some.map(({ seq }) => seq), origin }, before };
    }
  }
}

/** Drops a replacement that does not fit into an event or is nested too deep: then the whole event goes. */
export const withFittingReplacement = <T extends ChosenEvent>(ports: JournalPorts, event: T): T => {
  if (event.replacement === undefined || replacementOf(ports, event) !== undefined) return event;
  const { replacement: _, ...rest } = event;
  return rest as T;
};

/** Undefined if there is none, or it does not fit. */
function replacementOf(
  ports: JournalPorts,
  { seq, replacement }: ChosenEvent,
): NewEvent | undefined {
  if (replacement === undefined) return undefined;
  // A replacement of a replacement replaces the first event.
  const nested = nestedIn(replacement);
  try {
    const event = supersededEvent(ports, nested?.seq ?? seq, nested?.event ?? replacement);
    assertFits(event);
    return event;
  } catch {
    return undefined;
  }
}

function nestedIn({ type, data }: Envelope): { seq: number; event: Envelope } | undefined {
  return type === SUPERSEDED_TYPE ? (data as { seq: number; event: Envelope }) : undefined;
}

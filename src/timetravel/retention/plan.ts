import { decodeEvent } from '../../events/decode.ts';
import type { FactEnriched } from '../../events/types.ts';
import { supersededIn } from '../../journal/erase/events.ts';
import { FRAME_KIND } from '../../journal/format/format.ts';
import type { Entry } from '../../journal/format/frame.ts';
import { JournalReader } from '../../journal/read/reader.ts';
import { type RecordedLosses, recordedLosses } from '../../journal/verify/gaps.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { isKept } from '../../projections/based.ts';

export interface DropPlan {
  upto: number;
  /** Sessions with such events, or with a state for earlier ones: whether they continue after `upto`. */
  sessions: ReadonlyMap<string, { goesOn: boolean }>;
}

const DAY_MS = 86_400_000;

/** Events older than so many days, in whole segments. Age counts from recording: yesterday's import is a day old. */
export function planDrop(project: Project, days: number): DropPlan | undefined {
  const { states, ports } = project;
  const reader = plainReader(project);
  const upto = cutAt(reader, ports.clock.now() - days * DAY_MS);
  if (upto <= (states.dropped()?.upto ?? 0)) return undefined;
  const sessions = new Map<string, { goesOn: boolean }>();
  for (const session of states.basedSessions()) sessions.set(session, { goesOn: false });
  for (const entry of everyEntry(project)) {
    const event = decodeEvent(entry);
    if (event === undefined || event.session === null || event.type === 'journal.based') continue;
    const { seq, session } = event;
    if (seq <= upto) sessions.set(session, { goesOn: false });
    else if (sessions.has(session)) sessions.set(session, { goesOn: true });
  }
  return { upto, sessions };
}

/** Shows tombstones as such: here they count as events. */
const plainReader = ({ ports, root, decoders }: Project): JournalReader =>
  new JournalReader(ports, root, decoders);

/** All entries. @throws Ben10Error JOURNAL_DAMAGED */
function* everyEntry(project: Project): Generator<Entry> {
  const isRecorded = recorded(project);
  for (const { segment, entry, damage } of plainReader(project).entries()) {
    if (entry !== undefined) yield entry;
    else if (!isRecorded({ ...damage, segment })) throw unreadable();
  }
}

/** Covers damage that a repair recorded as lost. Read only when something is missing, because it reads the whole journal. */
export function recorded(project: Project): RecordedLosses['covers'] {
  let losses: RecordedLosses | undefined;
  return (damage) => {
    losses ??= recordedLosses(plainReader(project), project.ports.xxh64);
    return losses.covers(damage);
  };
}

/** Nothing is removed with unreadable events: a failing disk may return them later, and the states would lack them. */
export const unreadable = (): Ben10Error =>
  new Ben10Error(
    'JOURNAL_DAMAGED',
    'no old events were removed: part of the journal cannot be read, and the states kept in their place would lack it',
    { next: 'Run: ben10 verify' },
  );

/** The last seq of the newest closed segment whose last event is old enough; recording times rise. */
function cutAt(reader: JournalReader, before: number): number {
  const ends = reader.segments().map(({ firstSeq }) => firstSeq - 1);
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isBefore(reader, ends[middle]!, before)) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? ends[low]! : 0;
}

/** When the event itself is lost, the next one decides: it is no older. */
function isBefore(reader: JournalReader, seq: number, time: number): boolean {
  for (const { entry } of reader.entries(seq)) if (entry !== undefined) return entry.hlc.ms <= time;
  return false;
}

/** Events to remove, all below 2^53, rising. */
interface DropTargets {
  /** Removed up to the cut. */
  events: number;
  /** Kept up to the cut. */
  kept: number[];
  /** Removed after the cut: replacements of removed events, and states of an earlier removal. */
  also: number[];
}

/** @param open ids of facts that no state covers yet: they stay with all their data */
export function dropTargets(
  project: Project,
  { upto }: DropPlan,
  open: ReadonlySet<string>,
): DropTargets {
  const found: DropTargets = { events: 0, kept: [], also: [] };
  for (const entry of everyEntry(project)) {
    if (entry.kind !== FRAME_KIND.event) continue;
    if (entry.seq > upto) {
      if (goesAsWell(entry, upto)) found.also.push(entry.seq);
    } else if (stays(entry, open)) found.kept.push(entry.seq);
    else found.events += 1;
  }
  return found;
}

/** A replacement of an erased event stays where the event would. */
function stays(entry: Entry, open: ReadonlySet<string>): boolean {
  const event = decodeEvent(entry);
  if (event === undefined) return false;
  if (open.has(event.id) || isKept(event.type)) return true;
  if (event.type === 'fact.enriched') return open.has((event.data as FactEnriched).of);
  return isKept(supersededIn(entry)?.event.type ?? '');
}

function goesAsWell(entry: Entry, upto: number): boolean {
  const superseded = supersededIn(entry);
  if (superseded !== undefined) return superseded.seq <= upto && !isKept(superseded.event.type);
  return decodeEvent(entry)?.type === 'journal.based';
}

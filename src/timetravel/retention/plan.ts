import { decodeEvent } from '../../events/decode.ts';
import type { Entry } from '../../journal/format/frame.ts';
import { JournalReader } from '../../journal/read/reader.ts';
import { type RecordedLosses, recordedLosses } from '../../journal/verify/gaps.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';

/** What is old enough to be dropped. */
export interface DropPlan {
  /** Everything up to this seq is. */
  upto: number;
  /** Sessions with such events, and those whose states stand for earlier ones: whether they have later events, too. */
  sessions: ReadonlyMap<string, { goesOn: boolean }>;
}

const DAY_MS = 86_400_000;

/**
 * Which events are older than that, as whole segments. Age counts from when an event was recorded, not from when it
 * happened: what was imported yesterday is a day old.
 * @returns undefined when there is none
 */
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

/** Tombstones as tombstones: what stands for an erased event is an event of its own here. */
const plainReader = ({ ports, root, decoders }: Project): JournalReader =>
  new JournalReader(ports, root, decoders);

/**
 * Every entry there is.
 * @throws Ben10Error JOURNAL_DAMAGED
 */
export function* everyEntry(project: Project): Generator<Entry> {
  const isRecorded = recorded(project);
  for (const { segment, entry, damage } of plainReader(project).entries()) {
    if (entry !== undefined) yield entry;
    else if (!isRecorded({ ...damage, segment })) throw unreadable();
  }
}

/** What a repair recorded as lost nobody waits for any more. Asked for only where something is missing: it takes a reading of all. */
export function recorded(project: Project): RecordedLosses['covers'] {
  let losses: RecordedLosses | undefined;
  return (damage) => {
    losses ??= recordedLosses(plainReader(project), project.ports.xxh64);
    return losses.covers(damage);
  };
}

/** Nothing is dropped on a guess: a state would not know of it, and a disk that failed once may give it the next time. */
export const unreadable = (): Ben10Error =>
  new Ben10Error(
    'JOURNAL_DAMAGED',
    'old events were not dropped: something in the journal cannot be read, and the states that stand for them would lack it',
    { next: 'Run: ben10 verify' },
  );

/** The last seq of the newest closed segment that ends with something old enough; times rise along a journal. */
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

/** Where the event itself is lost, the next one tells: it is no older. */
function isBefore(reader: JournalReader, seq: number, time: number): boolean {
  for (const { entry } of reader.entries(seq)) if (entry !== undefined) return entry.hlc.ms <= time;
  return false;
}

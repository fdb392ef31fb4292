import { listInbox, readSpool } from '../journal/append/inbox.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { type Refused, refusalOf } from '../journal/read/refused.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Damage } from '../journal/read/scan.ts';
import { segmentSummaryOf } from '../journal/read/segment-summary.ts';
import { recordedLosses } from '../journal/verify/gaps.ts';
import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

/** What of the journal could not be read, and was therefore not looked at. */
export interface Unreadable {
  /** How many; null where nobody can say. */
  events: number | null;
  /** Names of the files that are damaged, or before which something is missing. */
  segments: string[];
  /** Those of them that are sound themselves: the segment before them is gone. */
  before?: string[];
  /** Of those events some, or all, stood behind all that is there. */
  atEnd?: true;
  /** Those of the files that are there and were not given, where they are passed by. */
  refused?: Refused[];
}

/** Damage, and the file in which it is, or before which: none where it is at the end. */
type MetAt = Damage & { segment: string };

/** The damage that a reading meets in the place of events. */
export class Unread {
  readonly #met = new Map<string, MetAt>();

  note(segment: string, damage: Damage): void {
    // Where it is null, no event is lost. A reading that goes over a place again meets the same once more.
    const { kind, offset, firstSeq } = damage;
    if (firstSeq === null) return;
    this.#met.set(`${segment} ${kind} ${offset} ${firstSeq}`, { ...damage, segment });
  }

  /** Of an event, a text that is kept beside the journal: missing, or damaged. */
  noteBlob(seq: number, name: string): void {
    const damage = { kind: 'blob' as const, offset: 0, bytes: 0, firstSeq: seq, lastSeq: seq };
    this.note(`blobs/${name}`, damage);
  }

  /**
   * With what waits in the inbox and cannot be read, and what is gone from the end. Null when everything was read. What a
   * repair recorded as lost for good is none of it: the log tells of that itself.
   * @param to where the reading was to end; what is behind it was not asked for
   * @throws as `JournalReader.entries`
   */
  of(project: Project, to?: number): Unreadable | null {
    const gone = to === undefined ? missingAtEnd(project) : [];
    const met = [...this.#met.values(), ...gone];
    const recorded =
      met.length > 0 ? recordedLosses(project.reader, project.ports.xxh64) : undefined;
    const lost = met.filter((damage) => recorded?.covers(damage) !== true);
    const waiting = damagedInInbox(project);
    const refused = refusedIn(project);
    if (lost.length + waiting.length + refused.length === 0) return null;
    const counts = lost.map(({ firstSeq, lastSeq }) =>
      firstSeq === null || lastSeq === null ? null : lastSeq - firstSeq + 1,
    );
    const sum = counts.reduce((all, n) => (all === null || n === null ? null : all + n), 0);
    const damaged = new Set(lost.filter(({ kind }) => kind !== 'missing').map(nameOf));
    const atEnd = lost.some((damage) => gone.includes(damage));
    const segments = [...new Set([...lost.map(nameOf).filter((name) => name !== ''), ...waiting])];
    const before = segments.filter((name) => !damaged.has(name) && !waiting.includes(name));
    return {
      events: waiting.length > 0 ? null : sum,
      segments,
      ...(before.length > 0 && { before }),
      ...(atEnd && { atEnd }),
      ...(refused.length > 0 && { refused }),
    };
  }
}

const refusedIn = ({ ports }: Project): Refused[] =>
  [...(ports.refused?.keys() ?? [])].flatMap((file) => refusalOf(ports, file) ?? []);

const nameOf = ({ segment }: { segment: string }): string => segment;

/** What was synced once and is there no more, in no segment: a reading that comes to the end meets nothing. */
function missingAtEnd({ ports, reader }: Project): MetAt[] {
  // Only the newest segment tells where the journal ends; damage in the others is met.
  const { missing } = segmentSummaryOf(ports, reader, (files) => files.length - 1);
  return missing.flatMap(({ firstSeq, lastSeq, segment }) =>
    segment === null
      ? [{ kind: 'missing', offset: 0, bytes: 0, firstSeq, lastSeq, segment: '' }]
      : [],
  );
}

function damagedInInbox({ ports, layout }: Project): string[] {
  const names = listInbox(ports, layout).filter((name) => {
    try {
      return !Array.isArray(readSpool(ports, `${layout.inbox}/${name}`));
    } catch (error) {
      if (errno(error) === 'ENOENT') return false; // taken in meanwhile
      throw error;
    }
  });
  return names.map((name) => `inbox/${name}`);
}

/**
 * What cannot be read in the whole journal.
 * @param damage of all of it: by default found by reading it; who asks again and again has a `IntegrityCache`, which remembers
 */
export function unreadableIn(
  project: Project,
  damage: Iterable<MetDamage> = damageIn(project.reader),
): Unreadable | null {
  const unread = new Unread();
  for (const met of damage) unread.note(met.segment, met.damage);
  return unread.of(project);
}

/** Nothing of what is sound is held: a journal has no end. */
function* damageIn(reader: JournalReader): Generator<MetDamage> {
  for (const batch of reader.batches(undefined, undefined, oneRoom()))
    for (const { segment, damage } of batch) if (damage !== undefined) yield { segment, damage };
}

interface MetDamage {
  segment: string;
  damage: Damage;
}

import { listInbox, readSpool } from '../journal/append/inbox.ts';
import type { JournalReader } from '../journal/read/reader.ts';
import { type Refused, refusalOf } from '../journal/read/refused.ts';
import { oneRoom } from '../journal/read/room.ts';
import type { Damage } from '../journal/read/scan.ts';
import { segmentSummaryOf } from '../journal/read/segment-summary.ts';
import { recordedLosses } from '../journal/verify/gaps.ts';
import { errno } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

export interface Unreadable {
  /** How many; null when unknown. */
  events: number | null;
  /** Files that are damaged, or before which something is missing. */
  segments: string[];
  /** Files before which something is missing. */
  before?: string[];
  /** Events are missing at the journal's end. */
  atEnd?: true;
  /** Files that the system does not let us read. */
  refused?: Refused[];
}

/** Damage and its file; '' at the journal's end. */
type MetAt = Damage & { segment: string };

/** Collects the damage that a reading meets. */
export class Unread {
  readonly #met = new Map<string, MetAt>();

  note(segment: string, damage: Damage): void {
    // Without a seq no event is lost. Repeated readings meet the same damage.
    const { kind, offset, firstSeq } = damage;
    if (firstSeq === null) return;
    this.#met.set(`${segment} ${kind} ${offset} ${firstSeq}`, { ...damage, segment });
  }

  /** An event's blob is missing or damaged. */
  noteBlob(seq: number, name: string): void {
    const damage = { kind: 'blob' as const, offset: 0, bytes: 0, firstSeq: seq, lastSeq: seq };
    this.note(`blobs/${name}`, damage);
  }

  /**
   * Adds damage in the inbox and at the end; null without any. Losses recorded by a repair do not count: the log has them.
   * @param to the end of the reading, if it had one
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

/** Events that were synced once and are gone from the journal's end, which a reading does not notice. */
function missingAtEnd({ ports, reader }: Project): MetAt[] {
  // Only the newest segment knows the end.
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

/** Everything unreadable in the journal. @param damage of all of it, as an `IntegrityCache` knows it; by default read now */
export function unreadableIn(
  project: Project,
  damage: Iterable<MetDamage> = damageIn(project.reader),
): Unreadable | null {
  const unread = new Unread();
  for (const met of damage) unread.note(met.segment, met.damage);
  return unread.of(project);
}

/** Holds no sound entries, because a journal may be huge. */
function* damageIn(reader: JournalReader): Generator<MetDamage> {
  for (const batch of reader.batches(undefined, undefined, oneRoom()))
    for (const { segment, damage } of batch) if (damage !== undefined) yield { segment, damage };
}

interface MetDamage {
  segment: string;
  damage: Damage;
}

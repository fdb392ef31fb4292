import { listInbox, readSpool } from '../journal/inbox.ts';
import type { JournalReader } from '../journal/reader.ts';
import { oneRoom } from '../journal/room.ts';
import type { Damage } from '../journal/scan.ts';
import { recordedLosses } from '../journal/verify-gaps.ts';
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
}

/** The damage that a reading meets in the place of events. */
export class Unread {
  readonly #met = new Map<string, Damage & { segment: string }>();

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
   * With what waits in the inbox and cannot be read. Null when everything was read. What a repair recorded as lost for
   * good is none of it: the log tells of that itself.
   * @throws as `JournalReader.entries`
   */
  of(project: Project): Unreadable | null {
    const met = [...this.#met.values()];
    const recorded =
      met.length > 0 ? recordedLosses(project.reader, project.ports.xxh64) : undefined;
    const lost = met.filter((damage) => recorded?.covers(damage) !== true);
    const waiting = damagedInInbox(project);
    if (lost.length + waiting.length === 0) return null;
    const counts = lost.map(({ firstSeq, lastSeq }) =>
      firstSeq === null || lastSeq === null ? null : lastSeq - firstSeq + 1,
    );
    const sum = counts.reduce((all, n) => (all === null || n === null ? null : all + n), 0);
    const damaged = new Set(lost.filter(({ kind }) => kind !== 'missing').map(nameOf));
    const segments = [...new Set([...lost.map(nameOf), ...waiting])];
    const before = segments.filter((name) => !damaged.has(name) && !waiting.includes(name));
    return {
      events: waiting.length > 0 ? null : sum,
      segments,
      ...(before.length > 0 && { before }),
    };
  }
}

const nameOf = ({ segment }: { segment: string }): string => segment;

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
 * @param damage of all of it: by default found by reading it; who asks again and again has a `Survey`, which remembers
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

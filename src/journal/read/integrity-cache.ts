import { errno } from '../../platform/errors.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { IdTable, keyOf, sumOf } from './id-table.ts';
import type { JournalReader } from './reader.ts';
import { oneRoom } from './room.ts';
import type { Damage } from './scan.ts';

/** A segment in which everything was read and nothing was wrong. */
interface Sound {
  /** Of the file when it was read; empty where it was found whole once, and is not any more. */
  stamp: string;
  ino: number;
  size: number;
  lastSeq: number;
  /** Its ids, which are among those of all: how many they are, and `sumOf` them. */
  ids: { count: number; sum: number };
}

/** Read in one step. */
const STEP_EVENTS = 64;

/** Of a file, before it is read. */
type Stamp = Pick<Sound, 'stamp' | 'ino' | 'size'>;

/**
 * What is damaged in a journal and which ids are in it, for those who ask again and again: what was read once and found whole
 * is not read again, until its file changes. What a disk loses without a write is for `verify.ts` to find.
 */
export class IntegrityCache {
  readonly #ports: ReaderPorts;
  readonly #reader: JournalReader;
  /** By first seq; with those that were found whole once, and are not any more. */
  #sound = new Map<number, Sound>();
  #ids = new IdTable();

  constructor(ports: ReaderPorts, reader: JournalReader) {
    this.#ports = ports;
    this.#reader = reader;
  }

  /**
   * The damage that a reading of the whole journal meets.
   * @throws as `JournalReader.entries`
   */
  *damage(): Generator<{ segment: string; damage: Damage }> {
    for (const step of this.steps()) if (step !== undefined) yield step;
  }

  /**
   * The same in short steps, for who must not be busy for long at a time: what was read then is not read again by `damage`.
   * Most steps tell of nothing.
   */
  *steps(): Generator<{ segment: string; damage: Damage } | undefined> {
    const begun = this.#sound;
    const sound = new Map(begun);
    const added = new IdTable();
    let isOther = false;
    let reached = 0;
    const files = this.#reader.segments();
    for (const [index, file] of files.entries()) {
      const next = files[index + 1]?.firstSeq;
      const now = this.#statOf(file, next === undefined);
      const known = begun.get(file.firstSeq);
      const follows = file.firstSeq === reached + 1;
      if (follows && known !== undefined && known.stamp === now?.stamp) {
        reached = known.lastSeq;
        continue;
      }
      const before = follows && next === undefined ? grownFrom(known, now) : undefined;
      let lastSeq = before ?? file.firstSeq - 1;
      let isSound = follows && now !== undefined;
      let isExplained = false;
      const keys: number[] = [];
      // Up to the next segment's first event: what stands in this one behind its last event has its number.
      for (const item of this.#reader.entries((before ?? reached) + 1, next, oneRoom())) {
        if (item.segment !== segmentName(file)) break;
        if (item.entry === undefined) yield item;
        else {
          lastSeq = item.entry.seq;
          if (keys.push(keyOf(item.entry.id)) % STEP_EVENTS === 0) yield undefined;
        }
        isSound &&= item.entry !== undefined;
        isExplained = item.entry === undefined && item.damage.firstSeq !== null;
      }
      yield undefined;
      if (isSound) {
        const had = known?.ids ?? { count: 0, sum: 0 };
        // Read from its beginning, it begins with what it had before.
        const again = before === undefined ? keys.splice(0, had.count) : undefined;
        isOther ||= again !== undefined && (again.length < had.count || sumOf(again) !== had.sum);
        added.add(keys);
        const ids = { count: had.count + keys.length, sum: sumOf(keys, had.sum) };
        sound.set(file.firstSeq, { ...now!, lastSeq, ids });
      } else if (known !== undefined) sound.set(file.firstSeq, { ...known, stamp: '' });
      // What was lost at its end was told of.
      reached = isExplained && next !== undefined ? next - 1 : lastSeq;
    }
    // Somebody else was faster between two steps, and what grew has its ids already.
    if (this.#sound !== begun) return;
    // Ids went: which ones are in it now is for the next reading, of all of it.
    this.#sound = isOther ? new Map() : sound;
    if (isOther) this.#ids = new IdTable();
    else this.#ids.take(added);
  }

  /** How often an id was met in what was found whole up to the last call of `damage`; it may be more often, and 0 where that is to be read anew. */
  count(id: Buffer): number {
    return this.#ids.count(keyOf(id));
  }

  /** @param isNewest what stands at the end of the newest segment may be an append in flight, elsewhere it is damage */
  #statOf({ path }: SegmentFile, isNewest: boolean): Stamp | undefined {
    try {
      const stat = this.#ports.fs.statIfThere(path);
      if (stat === undefined) return undefined;
      const { ino, size, mtimeMs } = stat;
      return { stamp: `${ino} ${size} ${mtimeMs} ${isNewest}`, ino, size };
    } catch (error) {
      if (errno(error) === undefined) throw error;
      return undefined;
    }
  }
}

/** The last event of a file that was only appended to since: nobody writes over what is there. */
const grownFrom = (known: Sound | undefined, now: Stamp | undefined) =>
  known !== undefined && known.stamp !== '' && known.ino === now?.ino && known.size < now.size
    ? known.lastSeq
    : undefined;

const caches = new WeakMap<JournalReader, IntegrityCache>();

/** Of one reader always the same: it is forgotten with it when events were erased. */
export function integrityCacheOf(ports: ReaderPorts, reader: JournalReader): IntegrityCache {
  const known = caches.get(reader) ?? new IntegrityCache(ports, reader);
  caches.set(reader, known);
  return known;
}

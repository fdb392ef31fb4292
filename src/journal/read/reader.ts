import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import { blobPath, getBlob } from '../append/blobs.ts';
import { listInbox, type NewEvent, readSpool } from '../append/inbox.ts';
import type { WrittenEntries } from '../append/written.ts';
import {
  type Layout,
  layoutOf,
  refuseUnsafeLayout,
  type SegmentFile,
  segmentName,
} from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { isSkipped } from '../format/segment.ts';
import { type Cursor, passes, type ReadItem } from './cursor.ts';
import { framesNearEnd } from './frames-near-end.ts';
import { KnownFiles, KnownSegments } from './known-files.ts';
import { openSegment, Segment } from './open.ts';
import { type Home, homeOf } from './origins.ts';
import { newRoom, type Room } from './room.ts';
import type { Damage } from './scan.ts';
import { withoutStrays } from './stray.ts';
import { entriesInChunks, framesInWindows } from './windows.ts';

export type { ReaderPorts } from '../format/ports.ts';
export type { ReadItem } from './cursor.ts';

/**
 * How often in a row a listing may be out of date. Compaction renames one segment at a time and a listing that
 * overlaps with that can miss it; two in a row are bad luck, more are a segment that is missing.
 */
const STALE_MAX = 4;
/** Of the inbox's payloads, what one call hands out: a reader must not be made to hold gigabytes. */
export const INBOX_READ_BYTES_MAX = 64 * 1024 * 1024;

/** Entries that are given at once: at first, and at most. */
const BATCH_FIRST = 16;
const BATCH_MAX = 256;

/** Reads a journal without any lock, beside any number of writers and a compaction. */
export class JournalReader {
  readonly layout: Layout;
  /** What a process that ends soon remembers of the files. */
  readonly files: KnownFiles | undefined;
  /** Hears of all that could not be read: damage that was told of, and blobs. */
  onUnread: ((damage: Damage & { segment: string }) => void) | undefined;
  /** Of that, how often a file that is there was not given, or a text not whole: another time it may be. */
  refused = 0;
  readonly #ports: ReaderPorts;
  readonly #decoders: Decoders;
  readonly #written: WrittenEntries | undefined;
  readonly #listed: KnownSegments;

  /** @param written what a process that ends soon appended itself: it is not read again, nor is the journal looked for */
  constructor(ports: ReaderPorts, root: string, decoders: Decoders, written?: WrittenEntries) {
    this.layout = layoutOf(root);
    this.#ports = ports;
    this.#decoders = decoders;
    this.#written = written;
    this.files = written && new KnownFiles(ports, this.layout);
    this.#listed = new KnownSegments(ports, this.layout);
  }

  /**
   * Names the journal that is there now; undefined when there is none.
   * @throws as `homeOf`
   */
  origin(): string | undefined {
    return this.#home()?.origin;
  }

  /** Call after holding a lock: what others appended until then is seen from then on. A process that ends soon looks no more often. */
  lookAgain(): void {
    this.files?.lookAgain();
  }

  #home(): Home | undefined {
    return this.files === undefined ? homeOf(this.#ports, this.layout) : this.files.home();
  }

  /** Without files that bear a name which no journal comes to: `verify` tells of those. */
  segments(): SegmentFile[] {
    return withoutStrays(this.#ports, this.layout, this.#listing());
  }

  #listing(): SegmentFile[] {
    if (this.files !== undefined) return this.files.segments();
    const home = this.#home();
    return home === undefined ? [] : this.#listed.of(home);
  }

  /**
   * Entries with `from <= seq <= to`, rising, from all segments that may hold one. An append in flight at the end
   * of the newest segment is passed by in silence.
   * @param room `oneRoom()` for who is done with an entry when it asks for the next one
   * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN, FS_PERMISSION_DENIED
   */
  *entries(from = 1, to = Number.MAX_SAFE_INTEGER, room: Room = newRoom): Generator<ReadItem> {
    for (const batch of this.batches(from, to, room)) for (const item of batch) yield item;
  }

  /**
   * The same, some at a time: who reads a million of them does not go through all that stands between for each. The
   * first are few, for who wants no more.
   * @param room `oneRoom()` for who is done with a batch when it asks for the next one
   */
  *batches(from = 1, to = Number.MAX_SAFE_INTEGER, room: Room = newRoom): Generator<ReadItem[]> {
    let next = from;
    for (const { segment, entries } of this.#written?.runs(from, to, () => this.origin()) ?? []) {
      const first = entries[0]!.seq;
      if (next < first) yield* this.#stored(next, first - 1, room);
      yield entries.map((entry) => ({ segment, entry }));
      next = entries.at(-1)!.seq + 1;
    }
    if (next <= to) yield* this.#stored(next, to, room);
  }

  /** Those of the files. */
  *#stored(from: number, to: number, room: Room): Generator<ReadItem[]> {
    const cursor: Cursor = { from, next: from, segment: 0, stale: 0, isExplained: false };
    while (!(yield* this.#pass(cursor, to, room))) (this.files ?? this.#listed).forget();
  }

  /** One pass over a fresh listing; false when the listing turned out to be out of date. */
  *#pass(cursor: Cursor, to: number, room: Room): Generator<ReadItem[], boolean> {
    const files = this.segments();
    let most = BATCH_FIRST;
    for (const [index, file] of files.entries()) {
      const after = files[index + 1];
      if (file.firstSeq > to) return true;
      if (file.firstSeq <= cursor.segment) continue;
      if (after !== undefined && after.firstSeq <= cursor.from) continue;
      const near = framesNearEnd(this.#ports, file, cursor.next, to, this.files?.ends);
      if (near !== undefined) {
        cursor.stale = 0;
        cursor.segment = file.firstSeq;
        const segment = segmentName(file);
        const items: ReadItem[] = near.map((entry) => ({ segment, entry }));
        yield items.filter((item) => passes(item, cursor, to));
        continue;
      }
      if (file.firstSeq <= cursor.next && (yield* this.#soundItems(cursor, file, to, room)))
        continue;
      const opened = openSegment(this.#ports, file);
      const isHole = file.firstSeq > cursor.next && !cursor.isExplained;
      if ((opened === undefined || isHole) && cursor.stale < STALE_MAX) {
        cursor.stale += 1;
        return false;
      }
      const found = opened ?? new Segment(this.#ports, file);
      const segment = segmentName(file);
      if (found.bytes.length === 0) this.refused += 1;
      cursor.stale = 0;
      cursor.segment = file.firstSeq;
      let batch: ReadItem[] = [];
      if (isHole) {
        const lost = { firstSeq: cursor.next, lastSeq: file.firstSeq - 1 };
        const damage: Damage = { kind: 'missing', offset: 0, bytes: 0, ...lost };
        this.onUnread?.({ ...damage, segment });
        batch.push({ segment, damage });
      }
      cursor.next = Math.max(cursor.next, file.firstSeq);
      // How many events of a later version are in a segment that is passed by nobody knows here.
      cursor.isExplained = isSkipped(found.header);
      for (const { entry, damage } of found.entries(this.#decoders, cursor.next)) {
        if (damage !== undefined) {
          if (after === undefined && found.mayBeInFlight(damage)) continue;
          this.onUnread?.({ ...damage, segment });
        } else if (entry === undefined) continue;
        const item: ReadItem = damage === undefined ? { segment, entry } : { segment, damage };
        if (passes(item, cursor, to)) batch.push(item);
        else if ((entry?.seq ?? 0) > to) {
          yield batch;
          return true;
        }
        if (batch.length < most) continue;
        yield batch;
        batch = [];
        most = Math.min(2 * most, BATCH_MAX);
      }
      yield batch;
    }
    return true;
  }

  /**
   * What a segment holds, read in parts, as long as all of it is whole and sound.
   * @returns false to have it read as a whole, of which `cursor` has passed some
   */
  *#soundItems(
    cursor: Cursor,
    file: SegmentFile,
    to: number,
    room: Room,
  ): Generator<ReadItem[], boolean> {
    const segment = segmentName(file);
    const parts = file.sealed
      ? entriesInChunks(this.#ports, file, cursor.next, this.#decoders, room)
      : framesInWindows(this.#ports, file, room);
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) {
      const batch: ReadItem[] = [];
      for (const entry of part.value) {
        const item = { segment, entry };
        if (passes(item, cursor, to)) batch.push(item);
      }
      yield batch;
      if (cursor.next > to) break;
    }
    if (part.done === true && !part.value) return false;
    cursor.stale = 0;
    cursor.segment = file.firstSeq;
    cursor.isExplained = false;
    return true;
  }

  /** Undefined when it is missing or damaged. @param name 64 hex digits */
  blob(name: string): Buffer | undefined {
    const found = getBlob(this.#ports, this.layout, name, this.#decoders);
    if (found !== undefined) return found;
    const lost = { offset: 0, bytes: 0, firstSeq: null, lastSeq: null };
    this.onUnread?.({ kind: 'blob', segment: `blobs/${name}`, ...lost });
    if (this.#ports.fs.statIfThere(blobPath(this.layout, name)) !== undefined) this.refused += 1;
    return undefined;
  }

  /**
   * Events that wait for a seq, oldest first, up to `INBOX_READ_BYTES_MAX` of payloads.
   * @throws Ben10Error JOURNAL_UNSAFE; Node's error when a file cannot be read
   */
  inbox(): NewEvent[] {
    refuseUnsafeLayout(this.#ports.fs, this.layout);
    const events: NewEvent[] = [];
    let bytes = 0;
    for (const name of listInbox(this.#ports, this.layout)) {
      for (const event of this.#spooled(`${this.layout.inbox}/${name}`)) {
        bytes += event.payload.length;
        if (bytes > INBOX_READ_BYTES_MAX) return events;
        events.push(event);
      }
    }
    return events;
  }

  #spooled(path: string): NewEvent[] {
    try {
      const events = readSpool(this.#ports, path);
      return Array.isArray(events) ? events : [];
    } catch (error) {
      if (errno(error) === 'ENOENT') return []; // drained meanwhile
      throw error;
    }
  }
}

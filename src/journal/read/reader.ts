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

/** How often in a row a listing may miss a segment that a compaction renames meanwhile. After that the segment is missing. */
const STALE_MAX = 4;
/** Payload bytes of the inbox that one call returns: many waiting events must not fill the memory. */
export const INBOX_READ_BYTES_MAX = 64 * 1024 * 1024;

/** Entries in the first batch, and in the largest. */
const BATCH_FIRST = 16;
const BATCH_MAX = 256;

/** Reads a journal without any lock, beside any number of writers and a compaction. */
export class JournalReader {
  readonly layout: Layout;
  /** Set in a short-lived process, which lists files once. */
  readonly files: KnownFiles | undefined;
  /** Called for everything that could not be read: damage and blobs. */
  onUnread: ((damage: Damage & { segment: string }) => void) | undefined;
  /** How often a file was there but could not be read, or a blob was incomplete. Another try may succeed. */
  refused = 0;
  readonly #ports: ReaderPorts;
  readonly #decoders: Decoders;
  readonly #written: WrittenEntries | undefined;
  readonly #listed: KnownSegments;

  /** @param written set in a short-lived process: its own entries, which need not be read again */
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

  /** Call after holding a lock, so that a short-lived process sees what others appended meanwhile. */
  lookAgain(): void {
    this.files?.lookAgain();
  }

  #home(): Home | undefined {
    return this.files === undefined ? homeOf(this.#ports, this.layout) : this.files.home();
  }

  /** Without stray files, which `verify` reports. */
  segments(): SegmentFile[] {
    return withoutStrays(this.#ports, this.layout, this.#listing());
  }

  #listing(): SegmentFile[] {
    if (this.files !== undefined) return this.files.segments();
    const home = this.#home();
    return home === undefined ? [] : this.#listed.of(home);
  }

  /**
   * Entries with `from <= seq <= to` in order. An append in flight at the end of the newest segment is skipped silently.
   * @param room `oneRoom()` if each entry is done with before the next one is requested
   * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN, FS_PERMISSION_DENIED
   */
  *entries(from = 1, to = Number.MAX_SAFE_INTEGER, room: Room = newRoom): Generator<ReadItem> {
    for (const batch of this.batches(from, to, room)) for (const item of batch) yield item;
  }

  /**
   * The same in batches, which is faster for long readings. The first batch is small, for callers that need only a few.
   * @param room `oneRoom()` if each batch is done with before the next one is requested
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

  /** Entries from the files. */
  *#stored(from: number, to: number, room: Room): Generator<ReadItem[]> {
    const cursor: Cursor = { from, next: from, segment: 0, stale: 0, isExplained: false };
    while (!(yield* this.#pass(cursor, to, room))) (this.files ?? this.#listed).forget();
  }

  /** One pass over a fresh listing; false if the listing was out of date. */
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
      // How many events a skipped segment of a later version holds is unknown here.
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
   * Reads a segment in parts, as long as it is sound.
   * @returns false if it has to be read whole; `cursor` is behind the entries given so far
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
   * Events waiting in the inbox, oldest first, up to `INBOX_READ_BYTES_MAX` of payloads.
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

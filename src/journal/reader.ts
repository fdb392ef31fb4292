import type { Decoders } from '../platform/codecs/codecs.ts';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/fs.ts';
import { asBuffer } from './bytes.ts';
import { SEGMENT_BYTES_MAX } from './format.ts';
import type { Entry, Frame } from './frame.ts';
import { listInbox, type NewEvent, readSpool } from './inbox.ts';
import { type Layout, layoutOf, listSegments, type SegmentFile } from './layout.ts';
import type { JournalPorts } from './ports.ts';
import { type Damage, scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';
import { decodeSegmentHeader, type SegmentHeader } from './segment.ts';

export type ReaderPorts = Pick<JournalPorts, 'fs' | 'xxh64'>;

/** What reading yields: an entry and where it stands, or damage in the place of entries. */
export type ReadItem =
  | { entry: Entry; segment: string; damage?: never }
  | { damage: Damage; segment: string; entry?: never };

/** A file that was compacted away between listing and opening is looked for again this often. */
const RELIST_MAX = 5;

/** Reads a journal without any lock, beside any number of writers and a compaction. */
export class JournalReader {
  readonly layout: Layout;
  readonly #ports: ReaderPorts;
  readonly #decoders: Decoders;

  constructor(ports: ReaderPorts, root: string, decoders: Decoders) {
    this.layout = layoutOf(root);
    this.#ports = ports;
    this.#decoders = decoders;
  }

  segments(): SegmentFile[] {
    return listSegments(this.#ports.fs, this.layout);
  }

  /** Entries with `from <= seq <= to`, rising, from all segments that may hold one. */
  *entries(from = 1, to = Number.MAX_SAFE_INTEGER): Generator<ReadItem> {
    let next = from;
    for (let tries = 0; tries < RELIST_MAX; tries += 1) {
      let vanished = false;
      for (const file of this.#covering(next, to)) {
        const bytes = this.#load(file);
        if (bytes === undefined) {
          vanished = true;
          break;
        }
        for (const item of this.#itemsOf(bytes, file, next)) {
          if (item.entry !== undefined) {
            if (item.entry.seq < next) continue;
            if (item.entry.seq > to) return;
            next = item.entry.seq + 1;
          }
          yield item;
        }
      }
      if (!vanished) return;
    }
  }

  /** Segments that can hold a seq of the range: a segment ends where its successor starts. */
  #covering(from: number, to: number): SegmentFile[] {
    const files = this.segments();
    return files.filter((file, index) => {
      const next = files[index + 1];
      return file.firstSeq <= to && (next === undefined || next.firstSeq > from);
    });
  }

  #load(file: SegmentFile): Buffer | undefined {
    try {
      return asBuffer(readFile(this.#ports.fs, file.path, SEGMENT_BYTES_MAX));
    } catch (error) {
      if (errno(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  *#itemsOf(bytes: Buffer, file: SegmentFile, from: number): Generator<ReadItem> {
    const segment = file.path.slice(file.path.lastIndexOf('/') + 1);
    const header = decodeSegmentHeader(bytes, this.#ports.xxh64);
    if (header === undefined) {
      const lost = { firstSeq: file.firstSeq, lastSeq: null };
      yield {
        segment,
        damage: { kind: 'segment-header', offset: 0, bytes: bytes.length, ...lost },
      };
    } else if (file.sealed) {
      yield* this.#sealedItems(bytes, header, segment, from);
    } else {
      for (const item of scanFrames(bytes, header, this.#ports.xxh64)) {
        if (item.frame !== undefined) yield { segment, entry: item.frame };
        else yield { segment, damage: item.damage };
      }
    }
  }

  *#sealedItems(
    bytes: Buffer,
    header: SegmentHeader,
    segment: string,
    from: number,
  ): Generator<ReadItem> {
    const sealed = openSealed(bytes, header, this.#ports.xxh64);
    for (const chunk of sealed.chunks) {
      if (chunk.firstSeq + chunk.count <= from) continue;
      const read = readChunk(bytes, sealed, chunk, this.#decoders, this.#ports.xxh64);
      if (read.entries === undefined) yield { segment, damage: read.damage };
      else for (const entry of read.entries) yield { segment, entry };
    }
    for (const damage of sealed.damage) yield { segment, damage };
  }

  /** Events that wait for a seq, oldest first. */
  inbox(): NewEvent[] {
    const ports = this.#ports as JournalPorts;
    return listInbox(ports, this.layout).flatMap((name) => {
      try {
        return readSpool(ports, `${this.layout.inbox}/${name}`) ?? [];
      } catch (error) {
        if (errno(error) === 'ENOENT') return []; // drained meanwhile
        throw error;
      }
    });
  }
}

export const isFrame = (entry: Entry): entry is Frame => 'chain' in entry;

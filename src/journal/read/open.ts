import type { Decoders } from '../../platform/codecs/codecs.ts';
import { DENIED, nextWhenDenied } from '../../platform/denied.ts';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { readFile } from '../../platform/files.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { isSkipped, readSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isPassedBy } from './refused.ts';
import type { Room } from './room.ts';
import { type Damage, type ScanItem, type SegmentItem, scanFrames } from './scan.ts';
import { openSealed, readChunk, type SealedSegment } from './sealed.ts';

/** A raw or sealed segment, with the bytes that were on disk when it was opened. */
export class Segment {
  readonly file: SegmentFile;
  /** Empty if the file cannot be read. */
  readonly bytes: Buffer;
  /** Undefined if it is damaged, or if it is another segment's. */
  readonly header: SegmentHeader | undefined;
  /** A flipped bit of the header was corrected, in memory only. */
  readonly mended: boolean;
  readonly #ports: Pick<ReaderPorts, 'xxh64'>;
  #sealed: SealedSegment | undefined;

  constructor(
    ports: Pick<ReaderPorts, 'xxh64'>,
    file: SegmentFile,
    bytes: Buffer = Buffer.alloc(0),
    header?: SegmentHeader,
    mended = false,
  ) {
    this.#ports = ports;
    this.file = file;
    this.bytes = bytes;
    this.header = header;
    this.mended = mended;
  }

  /** Only for a sealed segment with a header. */
  get sealed(): SealedSegment {
    this.#sealed ??= openSealed(this.bytes, this.header!, this.#ports.xxh64);
    return this.#sealed;
  }

  /**
   * All entries and all damage, in file order. Chunks that end before the event `from` are not unpacked; raw segments are always
   * read from the start.
   */
  *entries(decoders: Decoders, from = 0): Generator<SegmentItem> {
    const { header, file, bytes } = this;
    const place = { kind: 'segment-header', offset: 0, lastSeq: null } as const;
    if (header === undefined) {
      yield { damage: { ...place, bytes: bytes.length, firstSeq: file.firstSeq } };
      return;
    }
    if (this.mended) yield { damage: { ...place, bytes: SEGMENT_HEADER_BYTES, firstSeq: null } };
    if (file.sealed) yield* this.#chunks(decoders, from);
    else yield* this.frames();
  }

  /** The frames of a raw segment; none if its header is lost. */
  frames(): Iterable<ScanItem> {
    return this.header === undefined ? [] : scanFrames(this.bytes, this.header, this.#ports.xxh64);
  }

  *#chunks(decoders: Decoders, from: number): Generator<SegmentItem> {
    const { chunks, damage } = this.sealed;
    const rest = [...damage];
    for (const chunk of chunks) {
      while (rest[0] && rest[0].offset <= chunk.offset) yield { damage: rest.shift()! };
      if (chunk.firstSeq + chunk.count > from) {
        const read = readChunk(this.bytes, this.sealed, chunk, decoders, this.#ports.xxh64);
        if (read.entries === undefined) yield { damage: read.damage };
        else for (const entry of read.entries) yield { entry };
      }
      yield { chunk };
    }
    for (const one of rest) yield { damage: one };
  }

  /** Whether damage may be an append in flight. Only the lock holder can tell that from a torn tail. */
  mayBeInFlight({ kind, offset, bytes }: Damage): boolean {
    const isAtEnd = offset + bytes === this.bytes.length;
    return !this.file.sealed && kind !== 'segment-header' && isAtEnd;
  }
}

/** Not a segment file, or a bad disk: the other segments can still be read. */
const UNREADABLE = new Set<string | undefined>(['EFBIG', 'EISDIR', 'EIO', 'ELOOP']);

/**
 * @param room for the segment's bytes
 * @returns undefined if the file is not there (any more)
 * @throws Ben10Error FS_PERMISSION_DENIED unless such files are skipped, JOURNAL_FOREIGN if a later ben10 wrote it
 */
export const openSegment = (
  ports: ReaderPorts,
  file: SegmentFile,
  room?: Room,
): Segment | undefined =>
  openBy(ports, file, () => {
    const bytes = readFile(ports.fs, file.path, SEGMENT_BYTES_MAX, room);
    ports.refused?.delete(file.path);
    return bytes;
  });

/** The same, for the bytes that `read` returns. */
export function openBy(
  ports: ReaderPorts,
  file: SegmentFile,
  read: () => Buffer,
): Segment | undefined {
  let bytes: Buffer;
  try {
    bytes = read();
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    if (isPassedBy(ports, file.path, error) || UNREADABLE.has(errno(error)))
      return new Segment(ports, file);
    throw unreadable(ports, error, file.path);
  }
  const found = readSegmentHeader(bytes, file.path, ports.xxh64);
  if (found === undefined || !isAtHome(found.header, file)) return new Segment(ports, file, bytes);
  // Only the header of a skipped segment is known.
  const known = isSkipped(found.header) ? bytes.subarray(0, SEGMENT_HEADER_BYTES) : bytes;
  return new Segment(ports, file, known, found.header, found.mended);
}

/**
 * The same, or its sealed form if it was sealed since it was listed.
 * @returns undefined if neither is there
 * @throws as `openSegment`
 */
export function openListed(
  ports: ReaderPorts,
  file: SegmentFile,
  room?: Room,
): Segment | undefined {
  const found = openSegment(ports, file, room);
  return found !== undefined || file.sealed ? found : openSegment(ports, sealedForm(file), room);
}

/** The file that a raw segment becomes when it is sealed. */
export const sealedForm = (raw: SegmentFile): SegmentFile => ({
  ...raw,
  sealed: true,
  path: `${raw.path}z`,
});

/** Whether a header matches its file's folder and name. If not, somebody put the file there. */
export function isAtHome(header: SegmentHeader, file: SegmentFile): boolean {
  return (
    header.firstSeq === file.firstSeq &&
    file.origins?.includes(header.originId.toString('hex')) !== false &&
    ((header.flags & SEGMENT_FLAG.sealed) !== 0) === file.sealed &&
    (file.journalId === undefined || header.journalId.toString('hex') === file.journalId)
  );
}

function unreadable({ fs }: Pick<ReaderPorts, 'fs'>, error: unknown, file: string): unknown {
  if (!DENIED.has(errno(error))) return error;
  return new Ben10Error('FS_PERMISSION_DENIED', `${file} cannot be read`, {
    place: { file },
    next: nextWhenDenied(fs, file),
    cause: error,
  });
}

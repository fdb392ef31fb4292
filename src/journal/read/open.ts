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

/** What is said of a segment's header beside its bytes. */
interface FoundHeader {
  header: SegmentHeader;
  /** A flipped bit of it was put right, in memory only. */
  mended: boolean;
}

/** One segment, raw or sealed, with its bytes as they were on disk when it was opened. */
export class Segment {
  readonly file: SegmentFile;
  /** Empty when the file cannot be read at all. */
  readonly bytes: Buffer;
  /** Undefined when it is lost, or says that the file belongs somewhere else. */
  readonly header: SegmentHeader | undefined;
  readonly mended: boolean;
  readonly #ports: Pick<ReaderPorts, 'xxh64'>;
  #sealed: SealedSegment | undefined;

  constructor(
    ports: Pick<ReaderPorts, 'xxh64'>,
    file: SegmentFile,
    bytes: Buffer = Buffer.alloc(0),
    found?: FoundHeader,
  ) {
    this.#ports = ports;
    this.file = file;
    this.bytes = bytes;
    this.header = found?.header;
    this.mended = found?.mended === true;
  }

  /** Index and footer. Call only on a sealed segment with a header. */
  get sealed(): SealedSegment {
    this.#sealed ??= openSealed(this.bytes, this.header!, this.#ports.xxh64);
    return this.#sealed;
  }

  /**
   * All entries and all damage. Chunks that end before the event `from` are not unpacked; a raw segment is always read from its
   * start.
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

  /** Of a raw segment; nothing where its header is lost. */
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

  /** Whether damage may be an append in flight, which only the lock tells from a torn tail. */
  mayBeInFlight({ kind, offset, bytes }: Damage): boolean {
    const isAtEnd = offset + bytes === this.bytes.length;
    return !this.file.sealed && kind !== 'segment-header' && isAtEnd;
  }
}

/** Not a file of ours, or a bad disk: this segment is lost to us, the others are not. */
const UNREADABLE = new Set<string | undefined>(['EFBIG', 'EISDIR', 'EIO', 'ELOOP']);

/**
 * @param room for the segment's bytes
 * @returns undefined when the file is not there (any more)
 * @throws Ben10Error FS_PERMISSION_DENIED where such files are not passed by, JOURNAL_FOREIGN when a later ben10 wrote it
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

/** The same of as many bytes as `read` gives. */
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
  // Of one that is passed by nothing but the header is known.
  const known = isSkipped(found.header) ? bytes.subarray(0, SEGMENT_HEADER_BYTES) : bytes;
  return new Segment(ports, file, known, found);
}

/**
 * The same, or its sealed form when it has been sealed since it was listed.
 * @returns undefined when neither is there
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

/** The file that a raw segment becomes. */
export const sealedForm = (raw: SegmentFile): SegmentFile => ({
  ...raw,
  sealed: true,
  path: `${raw.path}z`,
});

/** What a header says must be what its file's place and name say: else somebody put the file there. */
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

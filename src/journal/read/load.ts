import { DENIED, nextWhenDenied } from '../../platform/denied.ts';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { readFile, withFile } from '../../platform/files.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { isSeq, type Layout, listOrigin, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { isSkipped, readSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isPassedBy } from './refused.ts';
import type { Room } from './room.ts';

/** A segment's bytes as they are on disk at this moment. */
export interface LoadedSegment {
  /** Empty when the file cannot be read at all. */
  bytes: Buffer;
  /** Undefined when it is lost, or says that the file belongs somewhere else. */
  header: SegmentHeader | undefined;
  /** True when a flipped bit of the header was put right, in memory only. */
  mended: boolean;
}

/** Not a file of ours, or a bad disk: this segment is lost to us, the others are not. */
export const UNREADABLE = new Set<string | undefined>(['EFBIG', 'EISDIR', 'EIO', 'ELOOP']);

/**
 * @param room for the segment's bytes
 * @returns undefined when the file is not there (any more)
 * @throws Ben10Error FS_PERMISSION_DENIED where such files are not passed by, JOURNAL_FOREIGN when a later ben10 wrote it
 */
export function loadSegment(
  ports: ReaderPorts,
  file: SegmentFile,
  room?: Room,
): LoadedSegment | undefined {
  return loadedBy(ports, file, () => {
    const bytes = readFile(ports.fs, file.path, SEGMENT_BYTES_MAX, room);
    ports.refused?.delete(file.path);
    return bytes;
  });
}

function loadedBy(
  ports: ReaderPorts,
  file: SegmentFile,
  read: () => Buffer,
): LoadedSegment | undefined {
  let bytes: Buffer;
  try {
    bytes = read();
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    if (isPassedBy(ports, file.path, error) || UNREADABLE.has(errno(error)))
      return { bytes: Buffer.alloc(0), header: undefined, mended: false };
    throw unreadable(ports, error, file.path);
  }
  const found = readSegmentHeader(bytes, file.path, ports.xxh64);
  if (found === undefined || !isAtHome(found.header, file))
    return { bytes, header: undefined, mended: false };
  // Of one that is passed by nothing but the header is known.
  const known = isSkipped(found.header) ? bytes.subarray(0, SEGMENT_HEADER_BYTES) : bytes;
  return { bytes: known, ...found };
}

/**
 * What a file's sound header says that it is, where it bears another segment's name; its path is the one that it has. Reads the
 * header alone: it is asked of each segment of a journal that may be long.
 * @throws as `loadSegment`
 */
export function misnamedIn(
  ports: ReaderPorts,
  file: SegmentFile,
): { header: SegmentHeader; is: SegmentFile } | undefined {
  const loaded = loadedBy(ports, file, () => headOf(ports, file));
  if (loaded === undefined || loaded.header !== undefined) return undefined;
  // With one flipped bit it still says so; the bit is put right in its own place.
  const header = readSegmentHeader(loaded.bytes, file.path, ports.xxh64)?.header;
  // By no other number a file could be found under the name that it would get.
  if (header === undefined || !isSeq(header.firstSeq)) return undefined;
  const sealed = (header.flags & SEGMENT_FLAG.sealed) !== 0;
  const is = { ...file, firstSeq: header.firstSeq, sealed };
  return isAtHome(header, is) ? { header, is } : undefined;
}

/**
 * What a file's header says, also where it bears another segment's name.
 * @throws as `loadSegment`
 */
export const headerOf = (ports: ReaderPorts, file: SegmentFile): SegmentHeader | undefined =>
  loadedBy(ports, file, () => headOf(ports, file))?.header ?? misnamedIn(ports, file)?.header;

const headOf = (ports: ReaderPorts, { path }: SegmentFile): Buffer =>
  withFile(ports.fs, path, SEGMENT_BYTES_MAX, (size, read) => {
    const bytes = Buffer.alloc(Math.min(size, SEGMENT_HEADER_BYTES));
    return bytes.subarray(0, read(bytes, 0));
  });

/**
 * The same, or its sealed form when it has been sealed since it was listed.
 * @returns the file that was read; undefined when neither is there
 * @throws as `loadSegment`
 */
export function loadListed(
  ports: ReaderPorts,
  file: SegmentFile,
  room?: Room,
): (LoadedSegment & { file: SegmentFile }) | undefined {
  const sealed = { ...file, sealed: true, path: `${file.path}z` };
  for (const one of file.sealed ? [file] : [file, sealed]) {
    const loaded = loadSegment(ports, one, room);
    if (loaded !== undefined) return Object.assign(loaded, { file: one });
  }
  return undefined;
}

/** What the first readable segment of an origin says the journal is, 32 hex digits; where none can be read, the first that bears another one's name. */
export function journalIdOf(
  ports: ReaderPorts,
  layout: Layout,
  origin: string,
): string | undefined {
  const files = listOrigin(ports.fs, layout, origin);
  for (const load of [loadSegment, misnamedIn])
    for (const file of files) {
      const header = load(ports, file)?.header;
      if (header !== undefined) return header.journalId.toString('hex');
    }
  return undefined;
}

/**
 * The origins that a copied folder had before, as its segments tell it: those that are named before the first segment
 * which names the folder itself. For where no manifest says it.
 */
export function formerOriginsIn(ports: ReaderPorts, layout: Layout, origin: string): string[] {
  const headers = listOrigin(ports.fs, layout, origin).flatMap(
    (file) => headerOf(ports, file) ?? [],
  );
  const former = new Set<string>();
  // Two may bear each other's names.
  for (const { originId } of headers.sort((a, b) => a.firstSeq - b.firstSeq)) {
    const named = originId.toString('hex');
    if (named === origin) return [...former];
    former.add(named);
  }
  return []; // none is the folder's own: they were put there
}

/** What a header says must be what its file's place and name say: else somebody put the file there. */
export function isAtHome(header: SegmentHeader, file: SegmentFile): boolean {
  return (
    header.firstSeq === file.firstSeq &&
    file.origins?.includes(header.originId.toString('hex')) !== false &&
    ((header.flags & SEGMENT_FLAG.sealed) !== 0) === file.sealed &&
    (file.journalId === undefined || header.journalId.toString('hex') === file.journalId)
  );
}

export function unreadable({ fs }: Pick<ReaderPorts, 'fs'>, error: unknown, file: string): unknown {
  if (!DENIED.has(errno(error))) return error;
  return new Ben10Error('FS_PERMISSION_DENIED', `${file} cannot be read`, {
    place: { file },
    next: nextWhenDenied(fs, file),
    cause: error,
  });
}

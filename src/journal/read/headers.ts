import { withFile } from '../../platform/files.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { isSeq, type Layout, listOrigin, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { readSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isAtHome, openBy, openSegment, type Segment } from './open.ts';

/**
 * The segment that a file with another segment's name is by its header. Reads only the header, because callers ask for every
 * segment of a journal.
 * @throws as `openSegment`
 */
export function misnamedIn(
  ports: ReaderPorts,
  file: SegmentFile,
): { header: SegmentHeader; is: SegmentFile } | undefined {
  const opened = openHead(ports, file);
  if (opened === undefined || opened.header !== undefined) return undefined;
  // A header with one flipped bit still counts.
  const header = readSegmentHeader(opened.bytes, file.path, ports.xxh64)?.header;
  // No file could have another number in its name.
  if (header === undefined || !isSeq(header.firstSeq)) return undefined;
  const sealed = (header.flags & SEGMENT_FLAG.sealed) !== 0;
  const is = { ...file, firstSeq: header.firstSeq, sealed };
  return isAtHome(header, is) ? { header, is } : undefined;
}

/**
 * The header of a file, even if the file has another segment's name.
 * @throws as `openSegment`
 */
export const headerOf = (ports: ReaderPorts, file: SegmentFile): SegmentHeader | undefined =>
  openHead(ports, file)?.header ?? misnamedIn(ports, file)?.header;

/**
 * Reads only the header of a segment.
 * @throws as `openSegment`
 */
export const openHead = (ports: ReaderPorts, file: SegmentFile): Segment | undefined =>
  openBy(ports, file, () =>
    withFile(ports.fs, file.path, SEGMENT_BYTES_MAX, (size, read) => {
      const bytes = Buffer.alloc(Math.min(size, SEGMENT_HEADER_BYTES));
      return bytes.subarray(0, read(bytes, 0));
    }),
  );

/** The journal's id (32 hex digits) in the first readable segment of an origin; else in the first that has another one's name. */
export function journalIdOf(
  ports: ReaderPorts,
  layout: Layout,
  origin: string,
): string | undefined {
  const files = listOrigin(ports.fs, layout, origin);
  for (const open of [openSegment, misnamedIn])
    for (const file of files) {
      const header = open(ports, file)?.header;
      if (header !== undefined) return header.journalId.toString('hex');
    }
  return undefined;
}

/**
 * The former origins of a copied folder, if no manifest tells them: those named by segments before the first segment that names
 * the folder itself.
 */
export function formerOriginsIn(ports: ReaderPorts, layout: Layout, origin: string): string[] {
  const headers = listOrigin(ports.fs, layout, origin).flatMap(
    (file) => headerOf(ports, file) ?? [],
  );
  const former = new Set<string>();
  // Two files may have swapped names.
  for (const { originId } of headers.sort((a, b) => a.firstSeq - b.firstSeq)) {
    const named = originId.toString('hex');
    if (named === origin) return [...former];
    former.add(named);
  }
  return []; // none is the folder's own: somebody put them there
}

import { withFile } from '../../platform/files.ts';
import { SEGMENT_BYTES_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { isSeq, type Layout, listOrigin, type SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { readSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isAtHome, openBy, openSegment, type Segment } from './open.ts';

/**
 * What a file's sound header says that it is, where it bears another segment's name; its path is the one that it has. Reads the
 * header alone: it is asked of each segment of a journal that may be long.
 * @throws as `openSegment`
 */
export function misnamedIn(
  ports: ReaderPorts,
  file: SegmentFile,
): { header: SegmentHeader; is: SegmentFile } | undefined {
  const opened = openHead(ports, file);
  if (opened === undefined || opened.header !== undefined) return undefined;
  // With one flipped bit it still says so; the bit is put right in its own place.
  const header = readSegmentHeader(opened.bytes, file.path, ports.xxh64)?.header;
  // By no other number a file could be found under the name that it would get.
  if (header === undefined || !isSeq(header.firstSeq)) return undefined;
  const sealed = (header.flags & SEGMENT_FLAG.sealed) !== 0;
  const is = { ...file, firstSeq: header.firstSeq, sealed };
  return isAtHome(header, is) ? { header, is } : undefined;
}

/**
 * What a file's header says, also where it bears another segment's name.
 * @throws as `openSegment`
 */
export const headerOf = (ports: ReaderPorts, file: SegmentFile): SegmentHeader | undefined =>
  openHead(ports, file)?.header ?? misnamedIn(ports, file)?.header;

/**
 * A segment of which nothing but the header is read.
 * @throws as `openSegment`
 */
export const openHead = (ports: ReaderPorts, file: SegmentFile): Segment | undefined =>
  openBy(ports, file, () =>
    withFile(ports.fs, file.path, SEGMENT_BYTES_MAX, (size, read) => {
      const bytes = Buffer.alloc(Math.min(size, SEGMENT_HEADER_BYTES));
      return bytes.subarray(0, read(bytes, 0));
    }),
  );

/** What the first readable segment of an origin says the journal is, 32 hex digits; where none can be read, the first that bears another one's name. */
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

import { errno } from '../../platform/errors.ts';
import { readU32 } from '../format/bytes.ts';
import { SEGMENT_BYTES_MAX } from '../format/format.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { readSegmentHeader } from '../format/segment.ts';
import { isAtHome, type LoadedSegment, loadSegment } from './load.ts';

/**
 * The first bytes of a file that grew beyond what a segment may have, up to that size and without the zeros at their end:
 * nothing that ends a segment is a zero. No reader looks into such a file; for who goes on behind it, or repairs it.
 */
interface GrownSegment extends LoadedSegment {
  /** Of the file, bytes. */
  size: number;
}

/**
 * Undefined where the file is no larger than a segment may be, or cannot be read.
 * @throws as `loadSegment`
 */
export function loadGrown(ports: ReaderPorts, file: SegmentFile): GrownSegment | undefined {
  const size = sizeOf(ports, file);
  if (size <= SEGMENT_BYTES_MAX) return undefined;
  const start = Buffer.allocUnsafe(SEGMENT_BYTES_MAX);
  try {
    const fd = ports.fs.open(file.path, 'r');
    try {
      if (ports.fs.read(fd, start, 0) < start.length) return undefined;
    } finally {
      ports.fs.close(fd);
    }
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
  const bytes = start.subarray(0, lengthOf(start));
  const read = readSegmentHeader(bytes, file.path, ports.xxh64);
  return read === undefined || !isAtHome(read.header, file)
    ? { bytes, header: undefined, mended: false, size }
    : { bytes, ...read, size };
}

/** A segment as it is read, or what is left of one that grew too large. */
export function loadAsFarAsPossible(
  ports: ReaderPorts,
  file: SegmentFile,
): (LoadedSegment & Partial<GrownSegment>) | undefined {
  const loaded = loadSegment(ports, file);
  return loaded?.bytes.length === 0 ? (loadGrown(ports, file) ?? loaded) : loaded;
}

function sizeOf(ports: ReaderPorts, file: SegmentFile): number {
  const stat = ports.fs.statIfThere(file.path);
  return stat?.isFile === true ? stat.size : 0;
}

const WORD = 8;

/** Up to the last byte that is not zero. */
function lengthOf(bytes: Buffer): number {
  let end = bytes.length;
  // By words first: there may be millions of them.
  while (end >= WORD && readU32(bytes, end - 4) === 0 && readU32(bytes, end - WORD) === 0)
    end -= WORD;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return end;
}

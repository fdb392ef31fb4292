import { copyOf } from '../format/bytes.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { BODY_BYTES_MAX, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { frameBytes } from '../format/frame.ts';
import type { Hlc } from '../format/hlc.ts';
import type { JournalPorts } from '../format/ports.ts';
import { decodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { lengthOfFrameBefore, RecentIds } from './recent-ids.ts';

/** How far back a writer looks for an id that it is about to append again. */
export const WINDOW_BYTES = 64 * 1024;

/** Enough for most last events. */
export const END_BYTES = 8 * 1024;

/** The end of the active segment: all that the next append has to know. */
export interface Tail {
  fd: number;
  path: string;
  header: SegmentHeader;
  size: number;
  seq: number;
  hlc: Hlc;
  chain: Buffer;
  syncedUpto: number;
  recent: RecentIds;
}

/**
 * Finds the end of a segment by its last 16 bytes, without a scan. @param windowBytes fewer if no ids are asked for
 * @returns undefined if the end cannot be believed: then `recover.ts` decides
 */
export function readTail(
  ports: JournalPorts,
  fd: number,
  path: string,
  windowBytes: number = WINDOW_BYTES,
): Tail | undefined {
  const { size } = ports.fs.fstat(fd);
  const head = readAt(ports, fd, 0, Math.min(size, SEGMENT_HEADER_BYTES));
  const header = decodeSegmentHeader(head, ports.xxh64);
  if (header === undefined) return undefined;
  if (size === SEGMENT_HEADER_BYTES) return tailOfEmpty(ports, fd, path, header);
  let start = Math.max(SEGMENT_HEADER_BYTES, size - windowBytes);
  let window = readAt(ports, fd, start, size - start);
  const lastBytes = lengthOfFrameBefore(window, window.length);
  if (lastBytes === undefined || lastBytes > size - SEGMENT_HEADER_BYTES) return undefined;
  if (lastBytes > frameBytes(BODY_BYTES_MAX)) return undefined;
  if (lastBytes > windowBytes / 2) {
    // The window is for the ids, so it begins behind a large frame.
    start = Math.max(SEGMENT_HEADER_BYTES, size - lastBytes - windowBytes);
    window = readAt(ports, fd, start, size - start);
  }
  const last = decodeFrame(window, window.length - lastBytes, header.salt, ports.xxh64, start);
  if ('problem' in last || last.bytes !== lastBytes) return undefined;
  return {
    fd,
    path,
    header,
    size,
    seq: last.seq,
    hlc: last.hlc,
    chain: copyOf(last.chain),
    syncedUpto: Math.min(last.syncedUpto, last.seq - 1),
    recent: new RecentIds(ports, { bytes: window, base: start, salt: header.salt }),
  };
}

export function tailOfEmpty(
  ports: JournalPorts,
  fd: number,
  path: string,
  header: SegmentHeader,
): Tail {
  return {
    fd,
    path,
    header,
    size: SEGMENT_HEADER_BYTES,
    seq: header.firstSeq - 1,
    hlc: header.baseHlc,
    chain: header.prevChain,
    syncedUpto: 0,
    recent: new RecentIds(ports),
  };
}

export function readAt(ports: JournalPorts, fd: number, position: number, bytes: number): Buffer {
  const into = Buffer.allocUnsafe(bytes);
  const read = ports.fs.read(fd, into, position);
  // Unreadable bytes must not pass for missing ones.
  if (read < bytes && ports.fs.fstat(fd).size >= position + bytes)
    throw Object.assign(new Error('a segment cannot be read to its end'), { code: 'EIO' });
  return into.subarray(0, read);
}

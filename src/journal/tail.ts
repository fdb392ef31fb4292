import { asBuffer } from './bytes.ts';
import {
  BODY_BYTES_MAX,
  FRAME_END_MAGIC,
  FRAME_TRAILER_BYTES,
  ID_BYTES,
  SEGMENT_HEADER_BYTES,
  TRAILER,
} from './format.ts';
import { decodeFrame, type Frame, frameBytes } from './frame.ts';
import type { Hlc } from './hlc.ts';
import type { JournalPorts } from './ports.ts';
import { decodeSegmentHeader, type SegmentHeader } from './segment.ts';

/** How far back a writer looks for an id that it is about to append again. */
export const WINDOW_BYTES = 64 * 1024;
/** Ids that a long-lived writer remembers: about half a megabyte, and far more than a fresh one sees. */
export const RECENT_IDS_MAX = 4096;

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
  /** Ids near the end, as hex, with their seqs; the oldest first, at most `RECENT_IDS_MAX`. */
  recent: Map<string, number>;
}

/**
 * Finds the end of a segment by its last 16 bytes, without a scan.
 * @returns undefined when the end cannot be believed: then it is `recover.ts`'s turn
 */
export function readTail(ports: JournalPorts, fd: number, path: string): Tail | undefined {
  const { size } = ports.fs.fstat(fd);
  const head = readAt(ports, fd, 0, Math.min(size, SEGMENT_HEADER_BYTES));
  const header = decodeSegmentHeader(head, ports.xxh64);
  if (header === undefined) return undefined;
  if (size === SEGMENT_HEADER_BYTES) return tailOfEmpty(fd, path, header);
  let start = Math.max(SEGMENT_HEADER_BYTES, size - WINDOW_BYTES);
  let window = readAt(ports, fd, start, size - start);
  const lastBytes = trailerBytes(window, window.length);
  if (lastBytes === undefined || lastBytes > size - SEGMENT_HEADER_BYTES) return undefined;
  if (lastBytes > frameBytes(BODY_BYTES_MAX)) return undefined;
  if (lastBytes > WINDOW_BYTES / 2) {
    // The window is for the ids, so it begins behind a large frame.
    start = Math.max(SEGMENT_HEADER_BYTES, size - lastBytes - WINDOW_BYTES);
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
    chain: Buffer.from(last.chain),
    syncedUpto: Math.min(last.syncedUpto, last.seq - 1),
    recent: recentIds(window, last, start, header.salt, ports),
  };
}

export function tailOfEmpty(fd: number, path: string, header: SegmentHeader): Tail {
  return {
    fd,
    path,
    header,
    size: SEGMENT_HEADER_BYTES,
    seq: header.firstSeq - 1,
    hlc: header.baseHlc,
    chain: header.prevChain,
    syncedUpto: 0,
    recent: new Map(),
  };
}

function readAt(ports: JournalPorts, fd: number, position: number, bytes: number): Buffer {
  const into = Buffer.allocUnsafe(bytes);
  return asBuffer(into.subarray(0, ports.fs.read(fd, into, position)));
}

/** Length of the frame that ends at `end`, as its trailer says. */
function trailerBytes(window: Buffer, end: number): number | undefined {
  const at = end - FRAME_TRAILER_BYTES;
  if (at < 0 || window.readUInt32LE(at + TRAILER.endMagic) !== FRAME_END_MAGIC) return undefined;
  const bytes = window.readUInt32LE(at + TRAILER.frameBytes);
  return bytes >= frameBytes(0) && bytes % 8 === 0 ? bytes : undefined;
}

function recentIds(
  window: Buffer,
  last: Frame,
  base: number,
  salt: bigint,
  ports: JournalPorts,
): Map<string, number> {
  const found: [string, number][] = [];
  let frame: Frame | undefined = last;
  let end = window.length;
  while (frame !== undefined) {
    found.push([frame.id.toString('hex', 0, ID_BYTES), frame.seq]);
    end -= frame.bytes;
    const bytes = trailerBytes(window, end);
    frame = undefined;
    if (bytes !== undefined && bytes <= end) {
      const before = decodeFrame(window, end - bytes, salt, ports.xxh64, base);
      if (!('problem' in before)) frame = before;
    }
  }
  const ids = new Map<string, number>();
  for (const [id, seq] of found.reverse()) remember(ids, id, seq);
  return ids;
}

/** Notes an id, unless it is there: the seq of its first witness stands. */
export function remember(ids: Map<string, number>, id: string, seq: number): void {
  if (ids.has(id)) return;
  ids.set(id, seq);
  if (ids.size > RECENT_IDS_MAX) ids.delete(ids.keys().next().value!);
}

import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import { withFile } from '../../platform/files.ts';
import type { ChunkHeader } from '../format/chunk.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { decodeFooter } from '../format/footer.ts';
import {
  CHUNK_HEADER_BYTES,
  FOOTER_BYTES,
  SEGMENT_BYTES_MAX,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import type { Entry, Frame } from '../format/frame.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { decodeSegmentHeader, type SegmentHeader } from '../format/segment.ts';
import { isAtHome } from './open.ts';
import type { Room } from './room.ts';
import { indexBytes, listedChunks, unpackChunk } from './sealed.ts';

/** Bytes of the first window, and of the others. */
const FIRST_BYTES = 64 * 1024;
const WINDOW_BYTES = 256 * 1024;

/*
 * The file is open only while a window is read, so that a reading which stops halfway leaves nothing open. In between, the
 * file may be sealed, rewritten or cut: what no longer fits ends the reading.
 */

/**
 * The frames of a raw segment, window by window.
 * @param room memory for the windows, of which frames are views
 * @returns true if all frames up to the end are sound and in order; otherwise open the segment to learn what is wrong
 */
export function* framesInWindows(
  ports: ReaderPorts,
  file: SegmentFile,
  room: Room,
): Generator<Frame[], boolean> {
  const read = (from: number, most: number) =>
    partsOf(ports, file, (part, size) => {
      const bytes = part(from, Math.min(most, size - from), room);
      return bytes && { bytes, size };
    });
  let window = read(0, FIRST_BYTES);
  const header = window && headerIn(ports, file, window.bytes);
  if (header === undefined) return false;
  const { size } = window!;
  let expected = file.firstSeq;
  let base = 0;
  for (let at = SEGMENT_HEADER_BYTES; base + at < size; at = 0) {
    const { bytes } = window!;
    const frames: Frame[] = [];
    let wanted = WINDOW_BYTES;
    while (at < bytes.length) {
      const frame = decodeFrame(bytes, at, header.salt, ports.xxh64, base);
      if ('problem' in frame) {
        // Cut off by the window's end: the next window begins with it.
        if (frame.problem !== 'short') return false;
        wanted = Math.max(wanted, frame.bytes);
        break;
      }
      if (frame.seq !== expected) return false;
      expected += 1;
      at += frame.bytes;
      frames.push(frame);
    }
    if (frames.length > 0) yield frames;
    else if (bytes.length >= wanted || base + bytes.length >= size) return false;
    base += at;
    if (base >= size) return true;
    window = read(base, wanted);
    // Cut meanwhile, or gone.
    if (window === undefined || window.size < size) return false;
  }
  return true;
}

/**
 * The entries of a sealed segment, chunk by chunk, beginning with the chunk that holds the event `from`.
 * @param room memory for stored chunks; entries of an uncompressed one are views of it
 * @returns as `framesInWindows`
 */
export function* entriesInChunks(
  ports: ReaderPorts,
  file: SegmentFile,
  from: number,
  decoders: Decoders,
  room: Room,
): Generator<Entry[], boolean> {
  const opened = indexOf(ports, file);
  if (opened === undefined) return false;
  const { header, chunks } = opened;
  for (const chunk of chunks) {
    if (chunk.firstSeq + chunk.count <= from) continue;
    const start = chunk.offset + CHUNK_HEADER_BYTES;
    const stored = partsOf(ports, file, (part) => part(start, chunk.storedBytes, room));
    const entries = stored && unpackChunk(stored, chunk, header, decoders, ports.xxh64);
    if (entries === undefined) return false;
    yield entries;
  }
  return true;
}

/** Header and index of a sealed segment; undefined if they, or the footer, are damaged or cannot be read. */
export const indexOf = (
  ports: ReaderPorts,
  file: SegmentFile,
): { header: SegmentHeader; chunks: ChunkHeader[] } | undefined =>
  partsOf(ports, file, (part, size) => {
    const first = part(0, SEGMENT_HEADER_BYTES);
    const header = first && headerIn(ports, file, first);
    const last = part(size - FOOTER_BYTES, FOOTER_BYTES);
    const footer = last && decodeFooter(last, ports.xxh64);
    if (header === undefined || footer === undefined) return undefined;
    const { indexOffset } = footer;
    if (indexOffset + indexBytes(footer) > size) return undefined;
    const index = part(indexOffset, indexBytes(footer));
    const chunks = index && listedChunks(index, header, footer, ports.xxh64);
    return chunks && { header, chunks };
  });

function headerIn(ports: ReaderPorts, file: SegmentFile, bytes: Buffer): SegmentHeader | undefined {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  return header !== undefined && isAtHome(header, file) ? header : undefined;
}

/** Bytes of a file from a position on; undefined if some are missing. */
type Part = (position: number, bytes: number, room?: Room) => Buffer | undefined;

/** Opens a segment to read parts of it; undefined if it is not there or cannot be read. */
function partsOf<T>(
  ports: ReaderPorts,
  { path }: SegmentFile,
  use: (part: Part, size: number) => T | undefined,
): T | undefined {
  try {
    return withFile(ports.fs, path, SEGMENT_BYTES_MAX, (size, read) =>
      use((position, bytes, room = Buffer.allocUnsafe) => {
        if (position < 0 || bytes < 0) return undefined;
        const into = room(bytes);
        return read(into, position) < bytes ? undefined : into;
      }, size),
    );
  } catch (error) {
    // Whoever opens the whole segment learns what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

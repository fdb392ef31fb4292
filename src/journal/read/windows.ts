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

/** What is read at once: at first, for who wants no more, and then. */
const FIRST_BYTES = 64 * 1024;
const WINDOW_BYTES = 256 * 1024;

/*
 * A file is open only while a part of it is read: who stops halfway leaves nothing open. In between it may be sealed, erased
 * from, or cut; what does not fit to what was read before ends the reading.
 */

/**
 * The frames of an active segment, a window of the file at a time.
 * @param room for the windows: frames are views of them
 * @returns whether it came to the file's end with all its frames whole, sound and in order; if not, only a reading of the
 * whole segment says what is wrong
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
        // The window's end cuts it off: the next one begins with it.
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
    // It was cut meanwhile, or is gone.
    if (window === undefined || window.size < size) return false;
  }
  return true;
}

/**
 * The entries of a sealed segment from the chunk on that holds the event `from`, a chunk at a time.
 * @param room for the chunks as they are stored: entries of one that is not packed are views of it
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

/** What a sealed segment's header, footer and index say; undefined where one of them is damaged, or cannot be read. */
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

/** Bytes of a file from a position on; undefined when not all of them are there. */
type Part = (position: number, bytes: number, room?: Room) => Buffer | undefined;

/** Reads parts of a segment, which is open meanwhile; undefined when it is not there, or cannot be read as it should. */
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
    // Who reads the whole segment knows what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

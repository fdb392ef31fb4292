import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
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
    whileOpen(ports, file, (fd, size) => {
      const bytes = readAt(ports, fd, from, Math.min(most, size - from), room);
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
  const opened = whileOpen(ports, file, (fd, size) => listOf(ports, file, fd, size));
  if (opened === undefined) return false;
  const { header, chunks } = opened;
  for (const chunk of chunks) {
    if (chunk.firstSeq + chunk.count <= from) continue;
    const start = chunk.offset + CHUNK_HEADER_BYTES;
    const stored = whileOpen(ports, file, (fd) =>
      readAt(ports, fd, start, chunk.storedBytes, room),
    );
    const entries = stored && unpackChunk(stored, chunk, header, decoders, ports.xxh64);
    if (entries === undefined) return false;
    yield entries;
  }
  return true;
}

/** What a sealed segment's first and last bytes say. */
function listOf(
  ports: ReaderPorts,
  file: SegmentFile,
  fd: number,
  size: number,
): { header: SegmentHeader; chunks: ChunkHeader[] } | undefined {
  const first = readAt(ports, fd, 0, SEGMENT_HEADER_BYTES);
  const header = first && headerIn(ports, file, first);
  const last = readAt(ports, fd, size - FOOTER_BYTES, FOOTER_BYTES);
  const footer = last && decodeFooter(last, ports.xxh64);
  if (header === undefined || footer === undefined) return undefined;
  const { indexOffset } = footer;
  if (indexOffset + indexBytes(footer) > size) return undefined;
  const index = readAt(ports, fd, indexOffset, indexBytes(footer));
  const chunks = index && listedChunks(index, header, footer, ports.xxh64);
  return chunks && { header, chunks };
}

function headerIn(ports: ReaderPorts, file: SegmentFile, bytes: Buffer): SegmentHeader | undefined {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  return header !== undefined && isAtHome(header, file) ? header : undefined;
}

/** Undefined when not all of it is there. */
function readAt(
  ports: ReaderPorts,
  fd: number,
  position: number,
  bytes: number,
  room: Room = Buffer.allocUnsafe,
): Buffer | undefined {
  if (position < 0 || bytes < 0) return undefined;
  const into = room(bytes);
  return ports.fs.read(fd, into, position) < bytes ? undefined : into;
}

/** Undefined when it is not there, or cannot be read as it should. */
function whileOpen<T>(
  ports: ReaderPorts,
  file: SegmentFile,
  use: (fd: number, size: number) => T | undefined,
): T | undefined {
  try {
    const fd = ports.fs.open(file.path, 'r');
    try {
      const { size, isFile } = ports.fs.fstat(fd);
      return isFile && size <= SEGMENT_BYTES_MAX ? use(fd, size) : undefined;
    } finally {
      ports.fs.close(fd);
    }
  } catch (error) {
    // Who reads the whole segment knows what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

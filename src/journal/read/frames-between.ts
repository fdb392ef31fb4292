import { decodeFrame } from '../format/decode-frame.ts';
import { FRAME_ALIGN, FRAME_MAGIC, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { Frame } from '../format/frame.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';

/** A raw segment that is open for reading. */
export interface OpenSegment {
  /** Fills a buffer from a position on; returns the number of bytes read. */
  read: (into: Uint8Array, position: number) => number;
  size: number;
  header: SegmentHeader;
  /** The seq in its last frame, unchecked: used only to guess where others are. */
  last?: number | undefined;
}

/** Bytes read at once: to find a frame, then the first time, then from there on. */
const PROBE_BYTES = 16 * 1024;
const FIRST_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;
/** A frame at most this many events before the wanted one is near enough to start from. */
const NEAR_EVENTS = 8;
/** After this many guesses halve the range instead: frames may differ much in length. */
const GUESSES = 4;
const MAGIC = Buffer.from(Uint32Array.of(FRAME_MAGIC).buffer);

/**
 * The frames with `from <= seq <= to` from the middle of a raw segment. A few guesses from the mean length of frames, then
 * halving, find the first one. A frame header counts if its checksum is right, which is seeded with salt and offset.
 * @returns undefined unless all of them are there and sound; open the segment to learn what is wrong
 */
export function framesBetween(
  ports: ReaderPorts,
  segment: OpenSegment,
  from: number,
  to: number,
): Frame[] | undefined {
  const { size } = segment;
  const frames: Frame[] = [];
  let next: number | undefined;
  let at = startBefore(ports, segment, from);
  for (let bytes = FIRST_BYTES; at < size; bytes = READ_BYTES) {
    const window = readAt(segment.read, at, Math.min(bytes, size - at));
    const found = soundIn(window, at, to, segment, ports);
    if (found.length === 0) {
      const large = oneLarge(ports, segment, window, at);
      if (large === undefined) return undefined;
      found.push(large);
    }
    for (const frame of found) {
      if (next !== undefined ? frame.seq !== next : frame.seq > from) return undefined;
      next = frame.seq + 1;
      at = frame.offset + frame.bytes;
      if (frame.seq >= from && frame.seq <= to) frames.push(frame);
      if (frame.seq >= to) return frames;
    }
  }
  return frames;
}

/** The frames of a window up to the event `to`, or up to the first one that is cut off or damaged. */
function soundIn(
  window: Buffer,
  base: number,
  to: number,
  { header }: OpenSegment,
  { xxh64 }: ReaderPorts,
): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < window.length; ) {
    const frame = decodeFrame(window, at, header.salt, xxh64, base);
    if ('problem' in frame) break;
    frames.push(frame);
    if (frame.seq >= to) break;
    at += frame.bytes;
  }
  return frames;
}

/** The frame at the start of a window that is too small for it. */
function oneLarge(
  ports: ReaderPorts,
  { read, size, header }: OpenSegment,
  window: Buffer,
  base: number,
): Frame | undefined {
  const cut = decodeFrame(window, 0, header.salt, ports.xxh64, base);
  if (!('problem' in cut) || cut.problem !== 'short' || base + cut.bytes > size) return undefined;
  if (cut.bytes === 0) return undefined;
  const whole = readAt(read, base, cut.bytes);
  const frame = decodeFrame(whole, 0, header.salt, ports.xxh64, base);
  return 'problem' in frame ? undefined : frame;
}

/** Offset of a frame at or shortly before the event `from`; else of the first frame. */
function startBefore(ports: ReaderPorts, segment: OpenSegment, from: number): number {
  let low = SEGMENT_HEADER_BYTES;
  let high = segment.size;
  let lowSeq = segment.header.firstSeq;
  let highSeq = segment.last;
  const room = Buffer.allocUnsafe(PROBE_BYTES);
  for (let steps = 0; high - low > PROBE_BYTES && from - lowSeq > NEAR_EVENTS; steps += 1) {
    const share = steps < GUESSES ? guess(from - NEAR_EVENTS / 2, lowSeq, highSeq) : 0.5;
    const middle = low + alignDown((high - low) * share);
    const found = headerBehind(ports, segment, middle, high, room);
    if (found !== undefined && found.seq <= from) {
      low = found.offset;
      lowSeq = found.seq;
    } else {
      high = middle;
      highSeq = found?.seq ?? highSeq;
    }
  }
  return low;
}

/** Where between two events a third one may be: over 0 and below 1. */
function guess(seq: number, low: number, high = Number.NaN): number {
  const share = (seq - low) / (high - low);
  return share > 0 && share < 1 ? share : 0.5;
}

/**
 * The first sound frame header in `start <= offset < end`.
 * @param room memory for one reading
 */
function headerBehind(
  ports: ReaderPorts,
  { read, header }: OpenSegment,
  start: number,
  end: number,
  room: Buffer,
): { offset: number; seq: number } | undefined {
  // A header may lie across the end of a reading, so readings overlap.
  for (let base = start; base < end; base += PROBE_BYTES - HEADER_ROOM) {
    const window = room.subarray(0, read(room, base));
    for (let at = window.indexOf(MAGIC); at !== -1; at = window.indexOf(MAGIC, at + 1)) {
      if (at % FRAME_ALIGN !== 0 || base + at >= end) continue;
      const { seq } = decodeFrame(window, at, header.salt, ports.xxh64, base);
      if (seq !== undefined) return { offset: base + at, seq };
    }
  }
  return undefined;
}

/** More than a frame's header takes, and a multiple of the alignment. */
const HEADER_ROOM = 256;

const alignDown = (offset: number): number => Math.floor(offset / FRAME_ALIGN) * FRAME_ALIGN;

export function readAt(read: OpenSegment['read'], position: number, bytes: number): Buffer {
  const into = Buffer.allocUnsafe(bytes);
  return into.subarray(0, read(into, position));
}

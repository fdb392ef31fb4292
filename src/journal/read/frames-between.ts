import { decodeFrame } from '../format/decode-frame.ts';
import { FRAME_ALIGN, FRAME_MAGIC, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { Frame } from '../format/frame.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';

/** An active segment that is open for reading. */
export interface OpenSegment {
  /** Puts what stands there into a buffer, and returns how many bytes. */
  read: (into: Uint8Array, position: number) => number;
  size: number;
  header: SegmentHeader;
  /** The seq of its last frame, as it says, unchecked: only to guess where others are. */
  last?: number | undefined;
}

/** What is read at once to find a frame, to begin with it, and to go on from there. */
const PROBE_BYTES = 16 * 1024;
const FIRST_BYTES = 64 * 1024;
const READ_BYTES = 256 * 1024;
/** A frame so many events before is near: they are read at once with the one that is looked for. */
const NEAR_EVENTS = 8;
/** Where frames differ much in length, guesses come nearer more slowly than halves. */
const GUESSES = 4;
const MAGIC = Buffer.from(Uint32Array.of(FRAME_MAGIC).buffer);

/**
 * The frames with `from <= seq <= to` from the middle of an active segment, found by guessing from how long frames are there,
 * and where that does not help by halving: at most as many steps as the length has digits, and some. A header is believed for its checksum, which is seeded with the segment's salt and its own offset.
 * @returns undefined unless all of them are there, whole and sound: a scan of the segment says what is wrong
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

/** Frames of a window up to the event `to`, or to the first that is not whole in it, or not sound. */
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

/** The frame at the start of a window that does not hold all of it. */
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

/** Offset of a frame with a seq of at most `from`, not far before that; of the first frame where there is none. */
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

/** How far between two events a third one may be: 0 to 1, at neither end. */
function guess(seq: number, low: number, high = Number.NaN): number {
  const share = (seq - low) / (high - low);
  return share > 0 && share < 1 ? share : 0.5;
}

/**
 * The first believable frame header from `start` on and before `end`.
 * @param room what is read at once
 */
function headerBehind(
  ports: ReaderPorts,
  { read, header }: OpenSegment,
  start: number,
  end: number,
  room: Buffer,
): { offset: number; seq: number } | undefined {
  // A header may lie across the end of what is read: the next reading begins before it.
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

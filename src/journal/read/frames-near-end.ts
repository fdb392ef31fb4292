import { errno } from '../../platform/errors.ts';
import { withFile } from '../../platform/files.ts';
import { lengthOfFrameBefore } from '../append/recent-ids.ts';
import { readU32, readU64 } from '../format/bytes.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import {
  FRAME,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  SEGMENT_BYTES_MAX,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import type { Frame } from '../format/frame.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { decodeSegmentHeader } from '../format/segment.ts';
import { framesBetween, type OpenSegment, readAt } from './frames-between.ts';
import type { KnownEnds, SegmentWindow } from './known-files.ts';
import { isAtHome } from './open.ts';

/** How much of a segment's end is read. `framesBetween` finds what lies before. */
const WINDOW_BYTES = 128 * 1024;
/** Enough for most last frames. */
const LAST_BYTES = 8 * 1024;
/** From a segment's first event on, reading more than this is faster in windows. */
const FIRST_EVENTS_MAX = 64;

/**
 * The frames of a raw segment with `from <= seq <= to`, found from the file's end or by halving, without reading what comes before.
 * @param known set in a short-lived process: ends that it has read before
 * @returns undefined unless all of them are there and sound; open the segment to learn what is wrong
 */
export function framesNearEnd(
  ports: ReaderPorts,
  file: SegmentFile,
  from: number,
  to: number,
  known?: KnownEnds,
): Frame[] | undefined {
  const isWhole = from === file.firstSeq && to - from >= FIRST_EVENTS_MAX;
  if (file.sealed || isWhole || from < file.firstSeq) return undefined;
  try {
    const seen = known && ports.fs.statIfThere(file.path);
    const kept = seen && known?.get(file.path, seen);
    const found = kept === undefined ? 'before' : framesIn(ports, file, kept, from, to);
    if (found !== 'before') return found;
    return withFile(ports.fs, file.path, SEGMENT_BYTES_MAX, (size, read) => {
      const head = kept === undefined ? readAt(read, 0, SEGMENT_HEADER_BYTES) : undefined;
      const header = kept?.header ?? decodeSegmentHeader(head!, ports.xxh64);
      if (header === undefined) return undefined;
      const segment = { read, size, header };
      const last = kept === undefined && isAtHome(header, file) ? lastSeq(segment) : undefined;
      if (last !== undefined && isFarBack(segment, last, from))
        return framesBetween(ports, { ...segment, last }, from, to);
      const window = kept ?? readWindow(segment);
      if (seen !== undefined) known?.set(file.path, seen, window);
      const frames = framesIn(ports, file, window, from, to);
      return frames === 'before' ? framesBetween(ports, segment, from, to) : frames;
    });
  } catch (error) {
    // Whoever opens the whole segment learns what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

/** The seq in the last frame, unchecked; undefined if that frame is longer than one reading. */
function lastSeq({ read, size }: OpenSegment): number | undefined {
  const base = Math.max(SEGMENT_HEADER_BYTES, size - LAST_BYTES);
  const bytes = readAt(read, base, size - base);
  const at = bytes.length - (lengthOfFrameBefore(bytes, bytes.length) ?? Number.POSITIVE_INFINITY);
  return at >= 0 ? readU64(bytes, at + FRAME.seq) : undefined;
}

/** Whether an event is probably not in the window, judged by the mean length of frames. */
const isFarBack = ({ size, header }: OpenSegment, last: number, from: number): boolean =>
  ((last - from) * size) / (last - header.firstSeq + 1) > 2 * WINDOW_BYTES;

function readWindow({ read, size, header }: OpenSegment): SegmentWindow {
  const base = Math.max(SEGMENT_HEADER_BYTES, size - WINDOW_BYTES);
  const bytes = readAt(read, base, size - base);
  return { header, size, base, bytes, back: [], sound: new Map() };
}

/** @returns `before` if they begin before the window; undefined as `framesNearEnd` */
function framesIn(
  ports: ReaderPorts,
  file: SegmentFile,
  window: SegmentWindow,
  from: number,
  to: number,
): Frame[] | 'before' | undefined {
  if (!isAtHome(window.header, file)) return undefined;
  const starts = startsBack(window, from);
  if (starts === 'short' && window.base > SEGMENT_HEADER_BYTES) return 'before';
  if (starts === 'broken' || starts === 'short') return undefined;
  const frames = soundFrames(ports, window, starts, to);
  return frames?.filter(({ seq }) => seq >= from && seq <= to);
}

/**
 * Offsets of frames, beginning at or before the event `from`. Nothing is checked yet.
 * @returns `short` if the window does not reach back so far, `broken` if no frame ends where one should
 */
function startsBack({ bytes, back }: SegmentWindow, from: number): number[] | 'short' | 'broken' {
  let count = back.findIndex(({ seq }) => seq <= from) + 1;
  for (let end = back.at(-1)?.at ?? bytes.length; count === 0; end = back.at(-1)!.at) {
    if (end < FRAME_TRAILER_BYTES) return 'short';
    const length = lengthOfFrameBefore(bytes, end);
    if (length === undefined) return 'broken';
    if (length > end) return 'short';
    const at = end - length;
    if (readU32(bytes, at + FRAME.magic) !== FRAME_MAGIC) return 'broken';
    const seq = readU64(bytes, at + FRAME.seq);
    back.push({ at, seq });
    if (seq <= from) count = back.length;
  }
  return back
    .slice(0, count)
    .map(({ at }) => at)
    .reverse();
}

/** Undefined if one of them is damaged or missing. */
function soundFrames(
  ports: ReaderPorts,
  { header, base, bytes, sound }: SegmentWindow,
  starts: number[],
  to: number,
): Frame[] | undefined {
  const frames: Frame[] = [];
  for (const start of starts) {
    const frame = sound.get(start) ?? decodeFrame(bytes, start, header.salt, ports.xxh64, base);
    if ('problem' in frame || frame.seq !== (frames.at(-1)?.seq ?? frame.seq - 1) + 1)
      return undefined;
    sound.set(start, frame);
    frames.push(frame);
    if (frame.seq >= to) break;
  }
  return frames;
}

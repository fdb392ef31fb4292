import { errno } from '../platform/errors.ts';
import { readU32, readU64 } from './bytes.ts';
import { decodeFrame } from './decode-frame.ts';
import {
  FRAME,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  SEGMENT_BYTES_MAX,
  SEGMENT_HEADER_BYTES,
} from './format.ts';
import type { Frame } from './frame.ts';
import { framesBetween, readAt } from './frames-between.ts';
import type { SegmentFile } from './layout.ts';
import { isAtHome } from './load.ts';
import type { ReaderPorts } from './ports.ts';
import { lengthOfFrameBefore } from './recent-ids.ts';
import { decodeSegmentHeader } from './segment.ts';

/** What is read of a segment's end; what lies before that is looked for by halving. */
const WINDOW_BYTES = 128 * 1024;
/** From a segment's first event on, so many are few; of more a scan is the faster way. */
const FIRST_EVENTS_MAX = 64;

/**
 * The frames of an active segment with `from <= seq <= to`, found from the file's end or by halving: who reads a few must
 * not pay for all that came before.
 * @returns undefined unless all of them are there, whole and sound: a scan of the segment says what is wrong
 */
export function framesNearEnd(
  ports: ReaderPorts,
  file: SegmentFile,
  from: number,
  to: number,
): Frame[] | undefined {
  const isWhole = from === file.firstSeq && to - from >= FIRST_EVENTS_MAX;
  if (file.sealed || isWhole || from < file.firstSeq) return undefined;
  try {
    return readBack(ports, file, from, to);
  } catch (error) {
    // It cannot be opened, or the disk is bad: who reads the whole segment knows what that means.
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

function readBack(
  ports: ReaderPorts,
  file: SegmentFile,
  from: number,
  to: number,
): Frame[] | undefined {
  const fd = ports.fs.open(file.path, 'r');
  try {
    const { size, isFile } = ports.fs.fstat(fd);
    if (!isFile || size > SEGMENT_BYTES_MAX) return undefined;
    const header = decodeSegmentHeader(readAt(ports, fd, 0, SEGMENT_HEADER_BYTES), ports.xxh64);
    if (header === undefined || !isAtHome(header, file)) return undefined;
    const base = Math.max(SEGMENT_HEADER_BYTES, size - WINDOW_BYTES);
    const window = readAt(ports, fd, base, size - base);
    const starts = startsBack(window, from);
    if (starts === 'short' && base > SEGMENT_HEADER_BYTES)
      return framesBetween(ports, { fd, size, header }, from, to);
    if (starts === 'broken' || starts === 'short') return undefined;
    const frames = soundFrames(starts, to, (at) =>
      decodeFrame(window, at, header.salt, ports.xxh64, base),
    );
    return frames?.filter(({ seq }) => seq >= from && seq <= to);
  } finally {
    ports.fs.close(fd);
  }
}

/**
 * Where frames start, from the last one back to the first with a seq of at most `from`. Nothing of it is believed yet.
 * @returns `short` when the window does not reach back so far, `broken` when there is no frame where one should end
 */
function startsBack(window: Buffer, from: number): number[] | 'short' | 'broken' {
  const starts: number[] = [];
  for (let end = window.length; ; end = starts.at(-1)!) {
    if (end < FRAME_TRAILER_BYTES) return 'short';
    const length = lengthOfFrameBefore(window, end);
    if (length === undefined) return 'broken';
    if (length > end) return 'short';
    const start = end - length;
    if (readU32(window, start + FRAME.magic) !== FRAME_MAGIC) return 'broken';
    starts.push(start);
    if (readU64(window, start + FRAME.seq) <= from) return starts;
  }
}

/** Undefined when one of them is damaged or missing. */
function soundFrames(
  starts: number[],
  to: number,
  decode: (at: number) => ReturnType<typeof decodeFrame>,
): Frame[] | undefined {
  const frames: Frame[] = [];
  for (const start of starts.reverse()) {
    const frame = decode(start);
    if ('problem' in frame || frame.seq !== (frames.at(-1)?.seq ?? frame.seq - 1) + 1)
      return undefined;
    frames.push(frame);
    if (frame.seq >= to) break;
  }
  return frames;
}

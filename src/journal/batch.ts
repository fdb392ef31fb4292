import { writeAll } from '../platform/files.ts';
import type { ActiveSegment } from './active.ts';
import { joined } from './bytes.ts';
import { FRAME_KIND, SALT_BYTES, SEGMENT_HEADER_BYTES } from './format.ts';
import { commitOf, encodeFrame, frameBytes } from './frame.ts';
import { nextHlc } from './hlc.ts';
import type { NewEvent } from './inbox.ts';
import type { JournalPorts } from './ports.ts';
import type { Tail } from './tail.ts';

/**
 * Writes events behind the active segment's tail, with one call for each segment that they go into. Events whose
 * id is known already are left out. Call with the lock held.
 * @param flags `FRAME_FLAG`s of the new frames
 * @returns the seq of each event, of its first witness where it was known
 * @throws Node's error; what was written of the segment in work is taken back, and `active` has to be closed, for
 * its ids are no longer true
 */
export function writeBatch(
  ports: JournalPorts,
  active: ActiveSegment,
  events: readonly NewEvent[],
  flags: number,
  segmentBytes: number,
): number[] {
  const seqs: number[] = [];
  let frames: Buffer[] = [];
  let end = { ...active.tail };
  const flush = () => {
    if (frames.length > 0) writeFrames(ports, active.tail, joined(frames), end);
    frames = [];
  };
  const rotate = () => {
    flush();
    end = { ...active.rotate() };
  };
  if (events.length > 0 && active.isFull(segmentBytes)) rotate();
  for (const event of events) {
    const known = end.recent.find(event.id);
    if (known !== undefined) {
      seqs.push(known);
      continue;
    }
    const bytes = frameBytes(SALT_BYTES + event.payload.length);
    if (end.size > SEGMENT_HEADER_BYTES && end.size + bytes > segmentBytes) rotate();
    frames.push(encodeBehind(ports, end, event, flags, active.hint.syncedUpto));
    end.recent.add(event.id, end.seq);
    seqs.push(end.seq);
  }
  flush();
  return seqs;
}

/** Encodes one event behind `end` and moves `end` on. */
function encodeBehind(
  ports: JournalPorts,
  end: Tail,
  event: NewEvent,
  flags: number,
  hinted: number,
): Buffer {
  const salt = Buffer.alloc(SALT_BYTES);
  ports.random.fill(salt);
  const hlc = nextHlc(end.hlc, ports.clock.now());
  const syncedUpto = Math.min(Math.max(end.syncedUpto, hinted), end.seq);
  const entry = {
    kind: FRAME_KIND.event,
    flags,
    typeTag: event.typeTag,
    seq: end.seq + 1,
    hlc,
    id: event.id,
    syncedUpto,
    salt,
    payload: event.payload,
    commit: commitOf(salt, event.payload),
  };
  const place = { salt: end.header.salt, offset: end.size, previousChain: end.chain };
  const { frame, chain } = encodeFrame(entry, place, ports.xxh64);
  Object.assign(end, { seq: entry.seq, hlc, syncedUpto, chain, size: end.size + frame.length });
  return frame;
}

/** A write that fails half-way is taken back, so that the next writer finds no torn tail. */
function writeFrames(ports: JournalPorts, tail: Tail, bytes: Buffer, end: Tail): void {
  try {
    writeAll(ports.fs, tail.fd, bytes, tail.size);
  } catch (error) {
    ports.fs.truncate(tail.fd, tail.size);
    throw error;
  }
  Object.assign(tail, end);
}

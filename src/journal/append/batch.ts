import { writeAll } from '../../platform/files.ts';
import { FRAME_KIND, SALT_BYTES, SEGMENT_HEADER_BYTES } from '../format/format.ts';
import { commitOf, type Entry, encodeFrame, frameBytes } from '../format/frame.ts';
import { nextHlc } from '../format/hlc.ts';
import { segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { ActiveSegment } from './active.ts';
import type { NewEvent } from './inbox.ts';
import type { Tail } from './tail.ts';
import { assertSeq } from './write-errors.ts';
import type { Written } from './written.ts';

/** How a batch is written. */
export interface BatchOptions {
  /** `FRAME_FLAG`s of the new frames. */
  flags: number;
  segmentBytes: number;
  /** Told of what stands in a segment now. */
  onWritten?: ((written: Written) => void) | undefined;
}

/**
 * Writes events behind the tail, one write call per segment, and leaves out known ids. Call with the lock held.
 * @returns the seq of each event; of its first witness if it was known
 * @throws Node's error. The current segment's part is taken back; close `active` then, because its ids are wrong
 */
export function writeBatch(
  ports: JournalPorts,
  active: ActiveSegment,
  events: readonly NewEvent[],
  { flags, segmentBytes, onWritten }: BatchOptions,
): number[] {
  assertSeq(active.tail.seq + events.length);
  const seqs: number[] = [];
  const salts = Buffer.alloc(SALT_BYTES * events.length);
  if (events.length > 0) ports.random.fill(salts);
  /** Frames of the current segment, then zeros for the frames still to come. */
  let room = Buffer.alloc(events.reduce((sum, event) => sum + bytesOf(event), 0));
  let used = 0;
  let entries: Entry[] = [];
  let end = { ...active.tail };
  const flush = () => {
    if (used === 0) return;
    writeFrames(ports, active.tail, room.subarray(0, used), end);
    const { origin, tail } = active;
    onWritten?.({ origin, segment: segmentName(tail), entries });
    room = room.subarray(used);
    used = 0;
    entries = [];
  };
  const rotate = () => {
    flush();
    end = { ...active.rotate() };
  };
  if (events.length > 0 && active.isFull(segmentBytes)) rotate();
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index]!;
    const known = end.recent.findOrAdd(event.id, end.seq + 1);
    if (known !== undefined) {
      seqs.push(known);
      continue;
    }
    event.putAgain?.();
    const bytes = bytesOf(event);
    if (end.size > SEGMENT_HEADER_BYTES && end.size + bytes > segmentBytes) rotate();
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    const entry = entryBehind(ports, end, event, salt, flags, active.hint.syncedUpto);
    encodeBehind(ports, end, entry, room.subarray(used, used + bytes));
    used += bytes;
    if (onWritten !== undefined) entries.push(entry);
    seqs.push(end.seq);
  }
  flush();
  return seqs;
}

const bytesOf = ({ payload }: NewEvent): number => frameBytes(SALT_BYTES + payload.length);

function entryBehind(
  ports: JournalPorts,
  end: Tail,
  { id, typeTag, payload, envelope }: NewEvent,
  salt: Buffer,
  flags: number,
  hinted: number,
): Entry {
  return {
    kind: FRAME_KIND.event,
    flags,
    typeTag,
    seq: end.seq + 1,
    hlc: nextHlc(end.hlc, ports.clock.now()),
    id,
    syncedUpto: Math.min(Math.max(end.syncedUpto, hinted), end.seq),
    salt,
    payload,
    commit: commitOf(salt, payload),
    envelope,
  };
}

/** Encodes one entry behind `end` into zeroed room, and moves `end` on. */
function encodeBehind(ports: JournalPorts, end: Tail, entry: Entry, room: Buffer): void {
  const place = { salt: end.header.salt, offset: end.size, previousChain: end.chain };
  const { frame, chain } = encodeFrame(entry, place, ports.xxh64, room);
  end.seq = entry.seq;
  end.hlc = entry.hlc;
  end.syncedUpto = entry.syncedUpto;
  end.chain = chain;
  end.size += frame.length;
}

/** Takes back a write that fails half-way, so that the next writer finds no torn tail. */
function writeFrames(ports: JournalPorts, tail: Tail, bytes: Buffer, end: Tail): void {
  try {
    writeAll(ports.fs, tail.fd, bytes, tail.size);
  } catch (error) {
    ports.fs.truncate(tail.fd, tail.size);
    throw error;
  }
  Object.assign(tail, end);
}

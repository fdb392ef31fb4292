import { errno } from '../../platform/errors.ts';
import { END_BYTES, readTail } from '../append/tail.ts';
import type { JournalPorts } from '../format/ports.ts';
import { UNREADABLE } from './open.ts';
import type { JournalReader } from './reader.ts';

/** Which events a journal has: all from the first to the last have a seq. Both 0 when there are none. */
export interface JournalRange {
  first: number;
  last: number;
}

/**
 * Found by the ends of the segments; only a segment whose end cannot be believed is read.
 * @throws Node's error where something else is in the place of a segment, and no event can be read
 */
export function journalRange(ports: JournalPorts, reader: JournalReader): JournalRange {
  const segments = reader.segments();
  let unreadable: unknown;
  for (const segment of segments.toReversed()) {
    try {
      const tail = segment.sealed ? undefined : tailSeq(ports, segment.path);
      const last = tail ?? lastReadable(reader, segment.firstSeq);
      if (last >= segment.firstSeq) return { first: segments[0]!.firstSeq, last };
    } catch (error) {
      // Who reads those before it tells that it is lost.
      if (!UNREADABLE.has(errno(error))) throw error;
      unreadable ??= error;
    }
  }
  if (unreadable !== undefined) throw unreadable;
  return { first: 0, last: 0 };
}

/** Undefined when the end cannot be believed: an append in flight, or damage. */
function tailSeq(ports: JournalPorts, path: string): number | undefined {
  let fd: number;
  try {
    fd = ports.fs.open(path, 'r');
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined; // sealed meanwhile
    throw error;
  }
  try {
    return readTail(ports, fd, path, END_BYTES)?.seq;
  } finally {
    ports.fs.close(fd);
  }
}

function lastReadable(reader: JournalReader, from: number): number {
  let last = 0;
  for (const { entry } of reader.entries(from)) if (entry !== undefined) last = entry.seq;
  return last;
}

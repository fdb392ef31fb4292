import { SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { NewEvent, Prerequisite } from './inbox.ts';
import { readAt, type Tail, WINDOW_BYTES } from './tail.ts';
import { assertFits } from './write-errors.ts';

/**
 * How far back a prerequisite is searched: parallel agents fill more than a writer's window between a call and its outcome.
 * Older ones are appended again, and readers hide the repeated id.
 */
export const LOOK_BACK_BYTES = 1024 * 1024;

/**
 * The events, each behind its prerequisite if that is missing. One that cannot be made is left out: the event itself counts
 * more.
 * @returns the very same list if nothing is added
 */
export function withPrerequisites(
  events: readonly NewEvent[],
  isThere: (prerequisite: Prerequisite) => boolean,
): readonly NewEvent[] {
  const missing = events.map(({ prerequisite }) => {
    return prerequisite === undefined || isThere(prerequisite) ? undefined : made(prerequisite);
  });
  if (missing.every((one) => one === undefined)) return events;
  return events.flatMap((event, index) => [missing[index] ?? [], event].flat());
}

function made(prerequisite: Prerequisite): NewEvent | undefined {
  try {
    const event = prerequisite.make();
    assertFits(event);
    return event;
  } catch {
    return undefined;
  }
}

/** Whether this id is near the end of the open segment. Call with the lock held and the tail current. */
export function isNearEnd(ports: JournalPorts, tail: Tail, id: Buffer): boolean {
  const { fd, size, recent } = tail;
  if (recent.has(id)) return true;
  if (size <= SEGMENT_HEADER_BYTES + WINDOW_BYTES) return false;
  const start = Math.max(SEGMENT_HEADER_BYTES, size - LOOK_BACK_BYTES);
  return readAt(ports, fd, start, size - start).includes(id);
}

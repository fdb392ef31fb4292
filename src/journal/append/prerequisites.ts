import { SEGMENT_HEADER_BYTES } from '../format/format.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { NewEvent, Prerequisite } from './inbox.ts';
import { readAt, type Tail, WINDOW_BYTES } from './tail.ts';
import { assertFits } from './write-errors.ts';

/**
 * How far back a prerequisite is looked for: what runs side by side, such as the commands and readings of several agents, fills more than
 * a writer's window between a call and its outcome. Behind that it is told again, and readers hide a repeated id.
 */
export const LOOK_BACK_BYTES = 1024 * 1024;

/**
 * The events, each behind its prerequisite where that is not there yet. A prerequisite that cannot be made is left out: what came must not
 * be lost for what was lost before it.
 * @returns the very same list where nothing is added
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

/** Whether an event of this id is near the end of the active segment. Call with the lock held, when its tail is current. */
export function isNearEnd(ports: JournalPorts, tail: Tail, id: Buffer): boolean {
  const { fd, size, recent } = tail;
  if (recent.has(id)) return true;
  if (size <= SEGMENT_HEADER_BYTES + WINDOW_BYTES) return false;
  const start = Math.max(SEGMENT_HEADER_BYTES, size - LOOK_BACK_BYTES);
  return readAt(ports, fd, start, size - start).includes(id);
}

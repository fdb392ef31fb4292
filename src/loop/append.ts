import { fact } from '../events/identity.ts';
import type { EventData } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import type { Project } from '../project/open.ts';

type LoopEvent = Extract<keyof EventData, `loop.${string}`>;

/**
 * Appends a loop's event: what happens but once in an iteration has one name, so that it is there but once.
 * @param n of the iteration; null for the loop's own
 * @throws Ben10Error CONTEXT_LOCKED: nothing may run whose start the journal does not know
 */
export function append<T extends LoopEvent>(
  project: Project,
  type: T,
  n: number | null,
  data: EventData[T],
): void {
  const { recorder } = project;
  const name = n === null ? undefined : fact.monitor(type, data.loop, `${n}`);
  const { spooled } = recorder.append([recorder.ownEvent(type, null, data, 'cli', name)]);
  if (!spooled || project.writer.drain()) return;
  throw new Ben10Error('CONTEXT_LOCKED', 'the journal is busy: the loop cannot go on', {
    next: 'In a moment: ben10 loop resume',
  });
}

import type { EventData, EventType, Source } from '../events/types.ts';
import { listInbox } from '../journal/append/inbox.ts';
import type { Project } from '../project/open.ts';

/** Appends an event of ben10's own. It passes redaction, because even a name can contain a secret. */
export function append<T extends EventType>(
  project: Project,
  type: T,
  session: string,
  data: EventData[T],
  source: Source = 'cli',
): void {
  const { recorder } = project;
  const at = project.ports.clock.now();
  recorder.append([recorder.event({ type, fact: null, session, agent: null, at, data }, source)]);
}

/** Brings waiting events into the journal, so that a state read next has them. */
export function drainInbox(project: Project): void {
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
}

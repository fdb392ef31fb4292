import type { EventData, EventType, Source } from '../events/types.ts';
import type { Project } from '../project/open.ts';

/** Through the recorder, like everything that is kept: a name can hold a secret, too. */
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

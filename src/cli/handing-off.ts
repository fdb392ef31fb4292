import type { Asked } from '../handoff/begin.ts';
import { type Settings, type Taken, takeByHand } from '../handoff/take.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { catchUp, transcriptOf } from '../project/catch-up.ts';
import type { Project } from '../project/open.ts';

/** Hands off the work of a session; by default of the last active one. @param asked the start of its id */
export function handOff(
  project: Project,
  config: Settings & Pick<Ben10Config, 'context'>,
  asked: string | undefined,
  given: Omit<Asked, 'trigger' | 'session' | 'source'> & { trigger?: 'loop' },
): Taken {
  if (config.context.autoSave) catchUp(project, asked);
  const { session = null } = transcriptOf(project, asked);
  return takeByHand(project, { trigger: 'manual', ...given, session, source: 'cli' }, config);
}

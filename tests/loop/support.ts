import type { EventData } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { fieldOf } from '../../src/projections/bounds.ts';
import { type LoopRecord, loops } from '../../src/projections/folds/loops.ts';

export const LOOP = 'abcdef0123456789';

type Types = Extract<keyof EventData, `loop.${string}`>;

/** Appends an event of the loop, as its process does. */
export function looped<T extends Types>(
  { recorder }: Project,
  type: T,
  data: Omit<EventData[T], 'loop'>,
  session: string | null = null,
): void {
  const whole = { loop: LOOP, ...data } as unknown as EventData[T];
  recorder.append([recorder.ownEvent(type, session, whole, 'cli')]);
}

export function startLoop(
  project: Project,
  given: Partial<EventData['loop.started']> = {},
  limits: Partial<EventData['loop.started']['limits']> = {},
): void {
  looped(project, 'loop.started', {
    ...{ worktree: '.', client: ['claude'], kind: 'claude', ...given },
    limits: { max: 20, stall: 3, checks: [], ...limits },
  });
}

export const iterate = (project: Project, n: number, session: string, handoffIn?: string): void =>
  looped(project, 'loop.iteration-started', {
    ...{ n, session, ...(handoffIn !== undefined && { handoffIn }) },
  });

export const end = (
  project: Project,
  n: number,
  given: Partial<EventData['loop.iteration-finished']> = {},
): void =>
  looped(project, 'loop.iteration-finished', {
    ...{ n, outcome: 'turn-end', isPromised: false, checks: [], ...given },
  });

export const loopIn = ({ states }: Project): LoopRecord =>
  fieldOf(states.at(loops, null).state.loops, LOOP)!;

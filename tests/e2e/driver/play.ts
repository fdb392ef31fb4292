/**
 * Plays a session in a sandbox and gathers what its witnesses say.
 */
import { type HookInput, recordedHooks, recordHooks } from './hook-recorder.ts';
import type { ClientRun } from './run-client.ts';
import type { Sandbox } from './sandbox.ts';
import type { ModelRequest } from './scenario.ts';

export interface Played {
  runs: ClientRun[];
  requests: ModelRequest[];
  hooks: HookInput[];
  home: string;
}

export type Session = (sandbox: Sandbox) => Promise<ClientRun[]>;

/** Plays a session with a plain hook on every event. */
export async function play(sandbox: Sandbox, session: Session): Promise<Played> {
  recordHooks(sandbox);
  const runs = await session(sandbox);
  return {
    runs,
    requests: runs.flatMap((run) => run.requests),
    hooks: recordedHooks(sandbox).map(({ input }) => input),
    home: sandbox.home,
  };
}

/** The inputs of one event, in order of arrival. */
export const ofEvent = (hooks: HookInput[], event: string): HookInput[] =>
  hooks.filter(({ hook_event_name }) => hook_event_name === event);

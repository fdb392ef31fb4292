import { join } from 'node:path';
import { compileRedaction, type RedactionOptions } from '../capture/redaction/index.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import { readHookConfig } from '../platform/hook-config.ts';

/** What a hook may wait for the journal's lock, milliseconds; beyond it the event goes to the inbox. */
export const HOOK_LOCK_BUDGET_MS = 50;

/** The project that a hook is about: the client says it, and stays with the folder that it was started in. */
export function projectDir(input: Record<string, unknown>): string {
  const said = process.env.CLAUDE_PROJECT_DIR;
  if (said !== undefined && said !== '') return said;
  return typeof input.cwd === 'string' && input.cwd !== '' ? input.cwd : process.cwd();
}

export interface HookSettings {
  config: Ben10Config | undefined;
  /** True when the project's settings were changed since they were compiled for hooks. */
  stale: boolean;
  redaction: RedactionOptions;
}

/** Settings as `init` and the server compiled them; without any, the built-in rules hold. */
export function hookSettings(dir: string): HookSettings {
  const read = readHookConfig(join(dir, '.ben10'));
  return {
    config: read?.config,
    stale: read?.stale ?? false,
    redaction: compileRedaction(read?.config.redaction).options,
  };
}

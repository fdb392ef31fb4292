import { isAbsolute } from 'node:path';
import { projectAbove } from '../platform/project-folder.ts';

/** What a hook may wait for the journal's lock, milliseconds; beyond it the event goes to the inbox. */
export const HOOK_LOCK_BUDGET_MS = 50;

/**
 * The project that a hook is about: the client says it, and stays with the folder that it was started in. Where nobody says it, it is
 * the one that the folder belongs to, as for the command line, or else that folder.
 */
export function projectDir(input: Record<string, unknown>): string {
  const said = process.env.CLAUDE_PROJECT_DIR;
  if (said !== undefined && said !== '') return said;
  const cwd = typeof input.cwd === 'string' && isAbsolute(input.cwd) ? input.cwd : process.cwd();
  return projectAbove(cwd) ?? cwd;
}

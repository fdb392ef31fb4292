import { isAbsolute } from 'node:path';
import { PATH_CHARS_MAX } from '../capture/json.ts';
import { nativeFolder, projectAbove } from '../platform/project-folder.ts';

/** What a hook may wait for the journal's lock, milliseconds; beyond it the event goes to the inbox. */
export const HOOK_LOCK_BUDGET_MS = 50;

/**
 * The project that a hook is about: the client says it, and stays with the folder that it was started in. Where nobody says it, it is
 * the one that the folder belongs to, as for the command line, or else that folder.
 */
export function projectDir(input: Record<string, unknown>): string {
  const said = process.env.CLAUDE_PROJECT_DIR;
  if (said) return nativeFolder(said);
  const cwd = isFolderName(input.cwd) ? input.cwd : process.cwd();
  return projectAbove(cwd) ?? cwd;
}

/** What is as long, or has a NUL in it, no file system has a folder for. */
const isFolderName = (cwd: unknown): cwd is string =>
  typeof cwd === 'string' && cwd.length < PATH_CHARS_MAX && !cwd.includes('\0') && isAbsolute(cwd);

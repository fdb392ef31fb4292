import { isAbsolute } from 'node:path';
import { PATH_CHARS_MAX } from '../capture/json.ts';
import { nativeFolder, nearestProject } from '../platform/project-folder.ts';

/** How long a hook waits for the journal's lock, milliseconds; then the event goes to the inbox. */
export const HOOK_LOCK_BUDGET_MS = 50;

/** The project of a hook: as the client says, else the project that its folder belongs to, else the folder itself. */
export function projectDir(input: Record<string, unknown>): string {
  const said = process.env.CLAUDE_PROJECT_DIR;
  if (said) return nativeFolder(said);
  const cwd = isFolderName(input.cwd) ? input.cwd : process.cwd();
  return nearestProject(cwd) ?? cwd;
}

/** No file system has longer names, or names with a NUL. */
const isFolderName = (cwd: unknown): cwd is string =>
  typeof cwd === 'string' && cwd.length < PATH_CHARS_MAX && !cwd.includes('\0') && isAbsolute(cwd);

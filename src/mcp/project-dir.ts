import path from 'node:path';
import { nativeFolder } from '../platform/project-folder.ts';
import { findProject } from '../project/open.ts';

/**
 * The project that the server is for. The client says it, and says the same to hooks; started by hand, it is the
 * nearest folder upwards that has a journal, or else the current one, where the first event makes it.
 */
export function serverProjectDir(env: NodeJS.ProcessEnv, cwd: string): string {
  const said = env.CLAUDE_PROJECT_DIR;
  if (said) return path.resolve(cwd, nativeFolder(said));
  try {
    return findProject(cwd);
  } catch {
    return cwd;
  }
}

import path from 'node:path';
import { projectOfClient } from '../platform/project-above.ts';
import { nativeFolder } from '../platform/project-folder.ts';
import { findProject } from '../project/open.ts';

/** The server's project, from the client; without a client the nearest folder upwards with a journal, else the current one. */
export function serverProjectDir(env: NodeJS.ProcessEnv, cwd: string): string {
  const said = env.CLAUDE_PROJECT_DIR;
  if (said) return projectOfClient(path.resolve(cwd, nativeFolder(said)));
  try {
    return findProject(cwd);
  } catch {
    return cwd;
  }
}

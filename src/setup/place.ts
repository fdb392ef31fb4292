import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ben10Error } from '../platform/errors.ts';
import { projectAbove } from '../platform/project-above.ts';
import { isAboveAll } from '../platform/project-folder.ts';
import { resolveProject } from './project-file.ts';

/**
 * Refuses to make a project of the home folder, of the root, or of a part of a project.
 * @param here allows the last
 * @throws Ben10Error USAGE
 */
export function refusePlace(dir: string, home: string, here: boolean): void {
  const folder = resolveProject(dir);
  const refuse = (what: string, next: string) => {
    throw new Ben10Error('USAGE', what, { place: { file: folder }, next });
  };
  if (isAboveAll(folder, home)) {
    const name = folder === path.parse(folder).root ? 'the root of the disk' : 'your home folder';
    const next = 'Go to a project and run it there; for all your projects: ben10 init --user';
    refuse(`${folder} is ${name}, and all below would be one project`, next);
  }
  const above = projectAbove(path.dirname(folder), home);
  const isOwn = ['.git', '.ben10'].some((name) => fs.existsSync(path.join(folder, name)));
  if (above === undefined || isOwn || here) return;
  const next = 'Start the client there. For a project of its own here: ben10 init --here';
  refuse(`${folder} is part of ${above}, which is set up: nothing was done`, next);
}

import {
  linkSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Ben10Error } from '../platform/errors.ts';
import { nodeFs } from '../platform/fs.ts';
import { isOutside } from '../platform/inside.ts';
import { ofSystem } from '../platform/system-error.ts';

/** What ben10 writes into a worktree, by paths relative to it: nobody's work. */
export const OURS = [
  '.ben10',
  '.claude/handoffs',
  '.claude/checkpoint-state.json',
  '.claude/ralph-state.json',
  '.claude/ralph',
];

/** Documents are written one at a time, so a killed process leaves no second one; other files may be written at once. */
export const TEMPORARY = '.ben10.tmp';

/**
 * Writes a file that is the user's, whole or not at all, with the modes of their own files.
 * @param name relative to `top`, with `/`; no link of the project may lead it out
 * @param isNew fails if there is a file of the name
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function writeUserFile(top: string, name: string, text: string, isNew: boolean): void {
  const file = path.join(top, name);
  const folder = path.dirname(file);
  const temporary = path.join(folder, isNew ? TEMPORARY : `.${process.pid}${TEMPORARY}`);
  try {
    makeFolders(top, path.dirname(name));
    rmSync(temporary, { force: true });
    writeFileSync(temporary, text, { flag: 'wx', flush: true });
    if (isNew) linkSync(temporary, file);
    else renameSync(temporary, file);
    rmSync(temporary, { force: true });
    nodeFs.syncDir(folder);
  } catch (error) {
    throw ofSystem(error) ?? error;
  }
}

/** @param name as in `writeUserFile` @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED */
export function makeFolders(top: string, name: string): void {
  const real = realpathSync(top);
  let dir = top;
  for (const part of name.split('/')) {
    dir = path.join(dir, part);
    try {
      if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) mkdirSync(dir);
    } catch (error) {
      throw ofSystem(error) ?? error;
    }
    const isFolder = statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder && !isOutside(real, realpathSync(dir))) continue;
    const [why, what] = isFolder ? ['leads out of the project', 'link'] : ['is no folder', 'file'];
    throw new Ben10Error('FS_WRITE_ERROR', `${dir} ${why}`, {
      place: { file: dir },
      next: `Replace the ${what} by a folder.`,
    });
  }
}

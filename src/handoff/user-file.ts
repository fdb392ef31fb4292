import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { Ben10Error, errno } from '../platform/errors.ts';
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
  const temporary = path.join(
    path.dirname(file),
    isNew ? TEMPORARY : `.${process.pid}${TEMPORARY}`,
  );
  try {
    makeFolders(top, path.dirname(name));
    if (isNew) {
      rmSync(temporary, { force: true });
      writeDurably(temporary, text);
      linkSync(temporary, file);
      rmSync(temporary);
    } else replace(temporary, file, text);
    nodeFs.syncDir(path.dirname(file));
  } catch (error) {
    throw ofSystem(error) ?? error;
  }
}

/** Another process may take the temporary file meanwhile: then what it writes is as new. */
function replace(temporary: string, file: string, text: string): void {
  for (let left = 20; ; left -= 1) {
    try {
      rmSync(temporary, { force: true });
      writeDurably(temporary, text);
      renameSync(temporary, file);
      return;
    } catch (error) {
      if (left === 0 || !['ENOENT', 'EEXIST'].includes(errno(error) ?? '')) throw error;
    }
  }
}

function writeDurably(file: string, text: string): void {
  const fd = openSync(file, 'wx');
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
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

import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ben10Error, errno } from '../platform/errors.ts';
import { removeIfThere } from '../platform/files.ts';
import { DIR_MODE, FILE_MODE, nodeFs } from '../platform/fs.ts';
import { isOutside } from '../platform/inside.ts';
import { randomHex, systemRandom } from '../platform/random.ts';
import type { PlannedEdit, SetupPlan } from './plan-edit.ts';
import { readProjectFile } from './project-file.ts';

/** Files that are shared through git; the umask may restrict them. */
const SHARED_FILE_MODE = 0o644;
const SHARED_DIR_MODE = 0o755;

interface Staged {
  target: string;
  /** The new version, beside its target; undefined for a removal. */
  temp: string | undefined;
}

/**
 * Applies a plan: writes all new versions to temporary files first, then renames them, so that a full disk changes nothing.
 * @throws Ben10Error FS_WRITE_ERROR if a file was changed since it was planned, or cannot be written
 */
export function applyPlan(plan: SetupPlan): void {
  const due = plan.edits
    .filter(({ action }) => action !== 'keep')
    .filter((edit) => isDue(plan, edit));
  const staged: Staged[] = [];
  try {
    for (const edit of due) staged.push(stage(folderOf(plan, edit), edit));
    for (const { target, temp } of staged) publish(target, temp);
  } catch (error) {
    for (const { temp } of staged) if (temp !== undefined) fs.rmSync(temp, { force: true });
    throw writeError(error);
  }
  for (const { target, temp } of staged) {
    if (temp === undefined) removeEmptyFolder(plan.projectDir, path.dirname(target));
  }
}

/** False if the file already is as planned. */
function isDue(plan: SetupPlan, edit: PlannedEdit): boolean {
  const now = readProjectFile(folderOf(plan, edit), edit.file).text;
  const planned = edit.action === 'remove' ? undefined : edit.after;
  if (now === planned) return false;
  if (now === edit.before) return true;
  const file = path.join(folderOf(plan, edit), ...edit.file.split('/'));
  throw new Ben10Error('FS_WRITE_ERROR', `${file} was changed by another program meanwhile`, {
    place: { file },
    next: 'Nothing was written; run the command again.',
  });
}

const folderOf = (plan: SetupPlan, edit: PlannedEdit): string => edit.folder ?? plan.projectDir;

function stage(projectDir: string, edit: PlannedEdit): Staged {
  const { target, mode } = readProjectFile(projectDir, edit.file);
  if (edit.action === 'remove') return { target, temp: undefined };
  const own = edit.file.startsWith('.ben10/');
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: own ? DIR_MODE : SHARED_DIR_MODE });
  const temp = `${target}.${randomHex(systemRandom, 6)}.tmp`;
  const fd = fs.openSync(temp, 'wx', own ? FILE_MODE : SHARED_FILE_MODE);
  try {
    if (mode !== undefined) fs.fchmodSync(fd, mode);
    fs.writeFileSync(fd, edit.after);
    fs.fsyncSync(fd);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw error;
  } finally {
    fs.closeSync(fd);
  }
  return { target, temp };
}

function publish(target: string, temp: string | undefined): void {
  if (temp === undefined) removeIfThere(nodeFs, target);
  else nodeFs.rename(temp, target);
}

/** With those above it that become empty. */
function removeEmptyFolder(projectDir: string, folder: string): void {
  if (folder === projectDir || isOutside(projectDir, folder)) return;
  try {
    fs.rmdirSync(folder);
  } catch {
    return; // not empty, or already gone
  }
  removeEmptyFolder(projectDir, path.dirname(folder));
}

function writeError(error: unknown): unknown {
  if (error instanceof Ben10Error || errno(error) === undefined) return error;
  const { path: file, message } = error as { path?: string; message: string };
  return new Ben10Error('FS_WRITE_ERROR', `cannot write: ${message}`, {
    place: { ...(file !== undefined && { file }) },
    next: 'Check the permissions of that folder and the free space, then run again.',
    cause: error,
  });
}

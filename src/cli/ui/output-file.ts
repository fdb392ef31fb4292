import { readlinkSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { isOutside } from '../../platform/inside.ts';
import { BEN10_DIR } from '../../platform/storage-location.ts';
import { ofSystem } from '../../platform/system-error.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import type { Ben10Context } from '../context.ts';

const OURS = /^\.(?:ben10|git)$/i;

/**
 * Writes the file of an option `-o`.
 * @throws Ben10Error USAGE for a place of the journal's or of git's, or a file with hard links, which may be one of theirs; FS_NOT_FOUND, FS_PERMISSION_DENIED, FS_WRITE_ERROR
 */
export function writeOutput(
  { cwd }: Pick<Ben10Context, 'cwd'>,
  { dir, root }: Pick<Project, 'dir' | 'root'>,
  file: string,
  bytes: Buffer | string,
): void {
  const place = path.resolve(cwd, file);
  try {
    const real = realPlace(place);
    const roots = [root, path.join(dir, BEN10_DIR)].map(realPlace);
    if (
      real.split(path.sep).some((name) => OURS.test(name)) ||
      roots.some((one) => !isOutside(one, real))
    )
      throw new Ben10Error('USAGE', `${oneLine(file)} is a place of the journal's or of git's`, {
        next: 'Give -o a file outside of .ben10 and .git.',
      });
    const there = statSync(place, { throwIfNoEntry: false });
    if (there?.isFile() && there.nlink > 1)
      throw new Ben10Error('USAGE', `${oneLine(file)} has other names, whose file would change`, {
        next: 'Give -o another file.',
      });
    writeFileSync(place, bytes);
  } catch (error) {
    throw asOutputError(error, file);
  }
}

/** Where a write ends up, also if nothing is there yet. */
function realPlace(file: string): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
  const dir = realPlace(path.dirname(file));
  let target: string;
  try {
    target = readlinkSync(file);
  } catch {
    return path.join(dir, path.basename(file));
  }
  return realPlace(path.isAbsolute(target) ? target : `${dir}/${target}`);
}

const KEPT: ReadonlySet<string | undefined> = new Set(['FS_NOT_FOUND', 'FS_PERMISSION_DENIED']);

function asOutputError(error: unknown, file: string): unknown {
  const code = errno(error);
  if (code === undefined || error instanceof Ben10Error) return error;
  const known = ofSystem(error);
  return new Ben10Error(
    known !== undefined && KEPT.has(known.code) ? known.code : 'FS_WRITE_ERROR',
    `${oneLine(file)} cannot be written (${code})`,
    { next: known?.next ?? 'Give another file.', cause: error },
  );
}

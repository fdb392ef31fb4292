import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ben10Error, errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { nodeFs } from '../platform/fs.ts';
import { isOutside } from '../platform/inside.ts';

/** Settings are written by hand. */
export const SETTINGS_BYTES_MAX = 1_048_576;

interface ProjectFile {
  /** The real path: links inside the project are followed. */
  target: string;
  /** Undefined if there is no file. */
  text: string | undefined;
  /** Permission bits. */
  mode: number | undefined;
}

/**
 * Reads a file of a project, if it exists. Refuses links out of the project: a cloned project must not choose what is changed.
 * @param projectDir from `resolveProject`
 * @param name relative, with `/`
 * @throws Ben10Error SETTINGS_INVALID, LIMIT_EXCEEDED, JOURNAL_UNSAFE or FS_PERMISSION_DENIED
 */
export function readProjectFile(projectDir: string, name: string): ProjectFile {
  const file = path.join(projectDir, ...name.split('/'));
  const fail = (why: string, next: string, cause?: unknown) =>
    new Ben10Error('SETTINGS_INVALID', `${file} ${why}`, { place: { file }, next, cause });
  try {
    refuseLinkedFolder(projectDir, name);
    const target = resolveInside(projectDir, file);
    if (target === undefined) {
      throw fail('leads out of the project', 'Replace the link by a file, then run again.');
    }
    const stat = fs.statSync(target, { throwIfNoEntry: false });
    if (stat === undefined) return { target, text: undefined, mode: undefined };
    // Reading a pipe would block.
    if (!stat.isFile()) throw fail('is not a regular file', 'Move it away, then run again.');
    const bytes = readFile(nodeFs, target, SETTINGS_BYTES_MAX);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { target, text, mode: stat.mode & 0o7777 };
  } catch (error) {
    if (error instanceof Ben10Error) throw error;
    if (error instanceof TypeError) {
      throw fail('is not UTF-8 text', 'Save it as UTF-8, then run again.', error);
    }
    throw explain(file, error, fail);
  }
}

function explain(
  file: string,
  error: unknown,
  fail: (why: string, next: string, cause?: unknown) => Ben10Error,
): unknown {
  switch (errno(error)) {
    case 'EFBIG':
      return new Ben10Error('LIMIT_EXCEEDED', `${file} has more than ${SETTINGS_BYTES_MAX} bytes`, {
        place: { file },
        next: 'Remove what does not belong there, then run again.',
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
      return new Ben10Error('FS_PERMISSION_DENIED', `${file} cannot be read`, {
        place: { file },
        next: 'Give yourself permission to read it, then run again.',
        cause: error,
      });
    case 'ENOTDIR': {
      const above = fileAbove(file);
      return fail(
        `is not possible: ${above} is not a folder`,
        `Move ${above} away, then run again.`,
        error,
      );
    }
    case 'ELOOP':
      return fail('is a link to itself', 'Remove the link, then run again.', error);
    default:
      return error;
  }
}

/** The file in the place of a folder above. */
function fileAbove(file: string): string {
  const above = path.dirname(file);
  const isThere = fs.lstatSync(path.dirname(above), { throwIfNoEntry: false })?.isDirectory();
  return isThere || above === file ? above : fileAbove(above);
}

/** `.ben10` must be a folder of this project, not a link. */
function refuseLinkedFolder(projectDir: string, name: string): void {
  if (!name.startsWith('.ben10/')) return;
  const folder = path.join(projectDir, '.ben10');
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() !== true) return;
  throw new Ben10Error('JOURNAL_UNSAFE', `${folder} is a link`, {
    place: { file: folder },
    next: 'Replace the link by a folder, then run again.',
  });
}

/** The real path of a file that may not exist yet; undefined if it is outside of the folder. */
function resolveInside(projectDir: string, file: string): string | undefined {
  let real: string;
  try {
    real = fs.realpathSync(file);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    // A dangling link: writing would create its target.
    if (stat?.isSymbolicLink() === true) return undefined;
    if (stat !== undefined) return resolveInside(projectDir, file); // created just now
    const parent = resolveInside(projectDir, path.dirname(file));
    return parent === undefined ? undefined : path.join(parent, path.basename(file));
  }
  return isOutside(projectDir, real) ? undefined : real;
}

/** The real path of a project's folder. @throws Ben10Error FS_NOT_FOUND */
export function resolveProject(projectDir: string): string {
  try {
    const real = fs.realpathSync(projectDir);
    if (fs.statSync(real).isDirectory()) return real;
  } catch (error) {
    if (errno(error) !== 'ENOENT' && errno(error) !== 'ENOTDIR') throw error;
  }
  throw new Ben10Error('FS_NOT_FOUND', `${projectDir} is not a folder`, {
    place: { file: projectDir },
    next: 'Run the command in the folder of your project.',
  });
}

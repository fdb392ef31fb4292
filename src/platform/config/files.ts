import { lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Ben10Error, errno } from '../errors.ts';
import { readFile } from '../files.ts';
import { nodeFs } from '../fs.ts';
import { isOutside } from '../inside.ts';
import { sha256 } from '../sha256.ts';
import { shellWord } from '../shell-word.ts';
import type { Environment } from './environment.ts';

/** A configuration is written by hand. */
export const CONFIG_BYTES_MAX = 262_144;

export interface FileStamp {
  mtimeMs: number;
  size: number;
  sha256: string;
}

/** XDG_CONFIG_HOME counts only when absolute (XDG Base Directory 0.8). */
export function userConfigDir(env: Environment, home: string): string {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'ben10');
}

/** The two names of a configuration; a folder may have one of them. */
export const configPair = (folder: string) => ({
  yaml: join(folder, 'config.yaml'),
  json: join(folder, 'config.json'),
});

/** Null for files that do not exist. */
export interface ConfigSources {
  user: FileStamp | null;
  userJson: FileStamp | null;
  project: FileStamp | null;
  projectJson: FileStamp | null;
}

/** Compares time and size, then content: a checkout touches files without changing them. */
export function isUnchanged(file: string, stamp: FileStamp | null): boolean {
  try {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now === undefined || stamp === null) return now === undefined && stamp === null;
    if (!now.isFile() || now.size !== stamp.size) return false;
    if (now.mtimeMs === stamp.mtimeMs) return true;
    const bytes = readFile(nodeFs, realpathSync(file), CONFIG_BYTES_MAX);
    return sha256(bytes).toString('hex') === stamp.sha256;
  } catch {
    return false;
  }
}

export interface ConfigFile {
  file: string;
  bytes: Uint8Array;
  stamp: FileStamp;
}

/**
 * @param inside a folder that the file must not leave through a link: a cloned project must not choose what is read.
 *   The user's own file may be a link, as dotfile managers make them.
 * @returns undefined if there is none
 * @throws Ben10Error CONFIG_INVALID, LIMIT_EXCEEDED or FS_PERMISSION_DENIED
 */
export function readConfigFile(file: string, inside?: string): ConfigFile | undefined {
  try {
    const real = realpathSync(file);
    if (inside !== undefined && isOutside(realpathSync(inside), real)) {
      throw refuse(file, `is a link that leaves ${inside}`, 'Replace the link by a file.');
    }
    // Reading a pipe would block.
    const stat = statSync(real);
    if (!stat.isFile()) throw refuse(file, 'is not a regular file', 'Replace it by a file.');
    const { size, mtimeMs } = stat;
    const bytes = readFile(nodeFs, real, CONFIG_BYTES_MAX);
    return { file, bytes, stamp: { mtimeMs, size, sha256: sha256(bytes).toString('hex') } };
  } catch (error) {
    return explain(file, error);
  }
}

/** @throws as `readConfigFile`; CONFIG_INVALID also when a folder has two */
export function readConfigOf(folder: string, inside?: string): ConfigFile | undefined {
  const { yaml, json } = configPair(folder);
  const found = readConfigFile(yaml, inside);
  const other = readConfigFile(json, inside);
  if (found === undefined || other === undefined) return found ?? other;
  throw refuse(yaml, `and ${json} both exist`, 'Merge them into one file.');
}

function explain(file: string, error: unknown): undefined {
  switch (errno(error)) {
    case 'ENOENT': {
      // Anything but a link was created just now.
      if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
      throw refuse(file, 'is a link to a file that does not exist', 'Remove or fix the link.');
    }
    case 'ENOTDIR':
      return undefined;
    case 'ELOOP':
      throw refuse(file, 'is a link to itself', 'Remove the link.');
    case 'EFBIG':
      throw new Ben10Error(
        'LIMIT_EXCEEDED',
        `${file} is larger than the limit of ${CONFIG_BYTES_MAX} bytes`,
        { place: { file }, next: 'Remove what does not belong there.', cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      throw new Ben10Error('FS_PERMISSION_DENIED', `${file} cannot be read`, {
        place: { file },
        next: `Make it readable: ${readable(file)} ${shellWord(file)}`,
        cause: error,
      });
    default:
      throw error;
  }
}

/** Only the owner can change permissions; root may own it. */
const readable = (file: string): string =>
  isOfAnother(file) ? 'sudo chown "$(id -u)"' : 'chmod u+r';

function isOfAnother(file: string): boolean {
  try {
    return process.geteuid !== undefined && statSync(file).uid !== process.geteuid();
  } catch {
    return false; // its folder cannot be read
  }
}

const refuse = (file: string, why: string, next: string) =>
  new Ben10Error('CONFIG_INVALID', `${file} ${why}`, { place: { file }, next });

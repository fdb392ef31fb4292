import { lstatSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { Ben10Error, errno } from '../errors.ts';
import { readFile } from '../files.ts';
import { nodeFs } from '../fs.ts';
import { isOutside } from '../inside.ts';
import { sha256 } from '../sha256.ts';
import { shellWord } from '../shell-word.ts';
import type { Environment } from './environment.ts';

/** A configuration is written by hand: anything over 256 KiB is not one. */
export const CONFIG_BYTES_MAX = 262_144;

/** Tells whether a file is still the one that was read. */
export interface FileStamp {
  mtimeMs: number;
  size: number;
  /** Lower-case hex, of the whole file. */
  sha256: string;
}

/** The user's own folder: under XDG_CONFIG_HOME, which counts only when absolute (XDG Base Directory 0.8). */
export function userConfigDir(env: Environment, home: string): string {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), 'ben10');
}

/** The two names that a configuration may have; a folder holds one of them at most. */
export interface ConfigPair {
  yaml: string;
  json: string;
}

export const configPair = (folder: string): ConfigPair => ({
  yaml: join(folder, 'config.yaml'),
  json: join(folder, 'config.json'),
});

/** The files that a configuration was read from; null where there was none. */
export interface ConfigSources {
  user: FileStamp | null;
  userJson: FileStamp | null;
  project: FileStamp | null;
  projectJson: FileStamp | null;
}

/**
 * By time and size; where only the time differs, by content: a checkout touches files without changing them.
 * What cannot be looked at counts as changed.
 */
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
 * Reads a configuration file, or finds that there is none.
 * @param inside a folder that the file must not leave through a link: a cloned project must not choose what is read.
 *   The user's own file may be a link, as dotfile managers make them.
 * @throws Ben10Error CONFIG_INVALID, LIMIT_EXCEEDED or FS_PERMISSION_DENIED
 */
export function readConfigFile(file: string, inside?: string): ConfigFile | undefined {
  try {
    const real = realpathSync(file);
    if (inside !== undefined && isOutside(realpathSync(inside), real)) {
      throw refuse(file, `is a link that leaves ${inside}`, 'Replace the link by a file.');
    }
    // A pipe would block the reader for ever.
    const stat = statSync(real);
    if (!stat.isFile()) throw refuse(file, 'is not a regular file', 'Replace it by a file.');
    const { size, mtimeMs } = stat;
    const bytes = readFile(nodeFs, real, CONFIG_BYTES_MAX);
    return { file, bytes, stamp: { mtimeMs, size, sha256: sha256(bytes).toString('hex') } };
  } catch (error) {
    return explain(file, error);
  }
}

/**
 * The one configuration of a folder.
 * @throws as `readConfigFile`; CONFIG_INVALID also when there are two
 */
export function readConfigOf(folder: string, inside?: string): ConfigFile | undefined {
  const { yaml, json } = configPair(folder);
  const found = readConfigFile(yaml, inside);
  const other = readConfigFile(json, inside);
  if (found === undefined || other === undefined) return found ?? other;
  throw refuse(yaml, `and ${json} are both there`, 'Keep one of them: put the settings together.');
}

function explain(file: string, error: unknown): undefined {
  switch (errno(error)) {
    case 'ENOENT': {
      // Anything else than a link was made this moment: there was none when it was asked for.
      if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return undefined;
      throw refuse(file, 'is a link to a file that does not exist', 'Remove or mend the link.');
    }
    case 'ENOTDIR':
      return undefined;
    case 'ELOOP':
      throw refuse(file, 'is a link to itself', 'Remove the link.');
    case 'EFBIG':
      throw new Ben10Error(
        'LIMIT_EXCEEDED',
        `${file} is larger than a configuration can be (${CONFIG_BYTES_MAX} bytes)`,
        { place: { file }, next: 'Take out what does not belong there.', cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      throw new Ben10Error('FS_PERMISSION_DENIED', `${file} cannot be read`, {
        place: { file },
        next: `Make it readable for you: ${readable(file)} ${shellWord(file)}`,
        cause: error,
      });
    default:
      throw error;
  }
}

/** Rights are for a file's owner to change; root may have made it. */
const readable = (file: string): string =>
  isOfAnother(file) ? 'sudo chown "$(id -u)"' : 'chmod u+r';

function isOfAnother(file: string): boolean {
  try {
    return process.geteuid !== undefined && statSync(file).uid !== process.geteuid();
  } catch {
    return false; // its folder is closed
  }
}

const refuse = (file: string, why: string, next: string) =>
  new Ben10Error('CONFIG_INVALID', `${file} ${why}`, { place: { file }, next });

import { dirname } from 'node:path';
import { errno } from './errors.ts';
import type { FileStat, FileSystem } from './fs.ts';
import { shellWord } from './shell-word.ts';

/** Who does not own a file, as one that `sudo` made, cannot change its mode. */
export const TAKE_OVER =
  'Work as its owner, or make it yours: sudo chown -R "$(id -u)" .ben10 && chmod -R u+rwX .ben10';
const ELSE =
  'Its owner and its mode let you read and write it: look for an access list, an attribute (lsattr) or a security module that does not';
const NO_OWNERS = 'Give yourself the right to read and write it';

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

/** What a system says that does not let a user have a file. */
export const DENIED: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM']);

/**
 * What to do about a file that the system does not let this user read or write: it belongs to somebody else, or its own mode or
 * its folder's keeps its owner from it, or something that neither tells.
 */
export function nextWhenDenied(fs: FileSystem, file: string): string {
  const me = process.geteuid?.();
  if (me === undefined) return NO_OWNERS;
  let place = file;
  // The nearest that can be looked at, and its folder: what is to be made in a folder needs that folder's rights.
  for (let stat = looked(fs, place); ; stat = looked(fs, place)) {
    if (stat !== undefined) {
      if (stat.uid !== undefined && stat.uid !== me) return TAKE_OVER;
      const isFolder = stat.isDirectory;
      const wanted = isFolder ? OWNER_FOLDER : OWNER_FILE;
      if ((stat.mode & wanted) !== wanted)
        return `Run: chmod u+rw${isFolder ? 'x' : ''} ${shellWord(place)}`;
      if (isFolder) return ELSE;
    }
    const above = dirname(place);
    if (above === place) return ELSE;
    place = above;
  }
}

/** Undefined where it is not there, or its folder does not let anybody look. */
function looked(fs: FileSystem, place: string): FileStat | undefined {
  try {
    return fs.statIfThere(place);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

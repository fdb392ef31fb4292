import { dirname } from 'node:path';
import { errno } from './errors.ts';
import type { FileStat, FileSystem } from './fs.ts';
import { shellWord } from './shell-word.ts';

/** For a file of another user, for instance one that `sudo` made. */
export const TAKE_OVER =
  'Work as its owner, or take it over: sudo chown -R "$(id -u)" .ben10 && chmod -R u+rwX .ben10';
const ELSE =
  'Its owner and mode allow reading and writing: look for an access control list, a file attribute (lsattr) or a security module that denies it';
const NO_OWNERS = 'Give yourself permission to read and write it';

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

export const DENIED: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM']);

/** What to do about a file that this user may not read or write. */
export function nextWhenDenied(fs: FileSystem, file: string): string {
  const me = process.geteuid?.();
  if (me === undefined) return NO_OWNERS;
  let place = file;
  // Up to the nearest folder that can be inspected: creating a file needs that folder's permissions.
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

/** Undefined if it does not exist, or its folder cannot be searched. */
function looked(fs: FileSystem, place: string): FileStat | undefined {
  try {
    return fs.statIfThere(place);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return undefined;
  }
}

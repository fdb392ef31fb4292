import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { layoutOf, refuseUnsafe, UNLINK } from '../journal/format/layout.ts';
import { nextWhenDenied } from '../platform/denied.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';
import { DIR_MODE, FILE_MODE, nodeFs } from '../platform/fs.ts';
import { shellWord } from '../platform/shell-word.ts';

/** Enough to notice a wrong umask or a copied folder. */
const ENTRIES_MAX = 20_000;
const OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;

/** Whether `.ben10` is private to its owner, and has no links in it. @param root `.ben10` itself */
export function checkFolder(root: string, platform: NodeJS.Platform = process.platform): Finding[] {
  let stat: ReturnType<typeof lstatSync>;
  try {
    stat = lstatSync(root);
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return [fail('folder', `${root} does not exist`, 'Run: ben10 init')];
  }
  if (!stat.isDirectory()) {
    const what = stat.isSymbolicLink() ? 'a symbolic link' : 'not a folder';
    const mend = 'Put a real folder in its place, then run: ben10 init';
    return [fail('folder', `${root} is ${what}: ben10 writes nothing through it`, mend)];
  }
  const others = checkOthers(root, lstatSync(path.dirname(root)));
  if (others.verdict === 'fail') return [others];
  const reach = checkReach(root);
  if (reach.verdict === 'fail' || platform === 'win32') return [reach];
  return [reach, checkRights(root), ...(others.verdict === 'ok' ? [] : [others])];
}

/** Whoever can write to the project's folder can replace `.ben10`, unless the folder is sticky, like /tmp. */
const STICKY = 0o1000;

/** @param above the project's own folder */
function checkOthers(root: string, above: Pick<Stats, 'mode'>): Finding {
  try {
    for (const dir of [root, path.join(root, 'journal'), path.join(root, 'journal', 'inbox')])
      refuseUnsafe(nodeFs, dir);
  } catch (error) {
    // `checkReach` reports what cannot be read.
    if (error instanceof Ben10Error)
      return fail('owner', `${error.message}: nothing is recorded`, error.next!);
  }
  const isOpen = (above.mode & WRITABLE_BY_ALL) !== 0 && (above.mode & STICKY) === 0;
  if (!isOpen) return ok('owner', 'nobody else can replace it');
  return warn(
    'owner',
    `all users can write to ${path.dirname(root)}, and so replace .ben10`,
    `Run: chmod o-w ${shellWord(path.dirname(root))}`,
  );
}

const MOUNT = 'Mount the disk writable, or move the project';

function checkReach(root: string): Finding {
  const layout = layoutOf(root);
  const { journal, inbox, lock, compactLock, transcriptsLock, transcriptsQueueLock } = layout;
  const folders = [root, journal, inbox];
  const locks = [lock, compactLock, transcriptsLock, transcriptsQueueLock];
  for (const place of [...folders, ...locks, layout.takeLock, layout.trackerLock]) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
      if (folders.includes(place)) readdirSync(place);
    } catch (error) {
      if (errno(error) === 'ENOENT') continue;
      if (errno(error) === 'EROFS') return fail('folder', `${place} is on a read-only disk`, MOUNT);
      const what = `${place} cannot be read and written`;
      return fail('folder', what, nextWhenDenied(nodeFs, place));
    }
  }
  return ok('folder', `${root} can be read and written`);
}

function checkRights(root: string): Finding {
  const open: string[] = [];
  const links: string[] = [];
  const walk = [root];
  let seen = 0;
  for (let dir = walk.pop(); dir !== undefined && seen < ENTRIES_MAX; dir = walk.pop()) {
    if ((lstatSync(dir).mode & OTHERS) !== 0) open.push(dir);
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      seen += 1;
      const file = path.join(dir, entry.name);
      if (entry.isSymbolicLink()) links.push(file);
      else if (entry.isDirectory()) walk.push(file);
      else if ((modeOf(file) & OTHERS) !== 0) open.push(file);
    }
  }
  if (links[0] !== undefined) {
    return fail('rights', `${links[0]} is a symbolic link, which ben10 does not follow`, UNLINK);
  }
  if (open[0] === undefined) return ok('rights', 'only you can read the journal');
  const more = open.length === 1 ? '' : ` and ${open.length - 1} more`;
  return warn(
    'rights',
    `other users can access ${open[0]}${more}`,
    `Run: chmod -R go-rwx ${shellWord(root)} (folders ${DIR_MODE.toString(8)}, files ${FILE_MODE.toString(8)})`,
  );
}

/** A writer may have removed the file meanwhile. */
function modeOf(file: string): number {
  try {
    return lstatSync(file).mode;
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return 0;
  }
}

import { dirname } from 'node:path';
import { DENIED } from '../../platform/denied.ts';
import { errno } from '../../platform/errors.ts';
import { readdirIfThere, removeIfThere, renameIfThere } from '../../platform/files.ts';
import type { FileSystem } from '../../platform/fs.ts';
import type { Admit } from '../append/drain.ts';
import { syncFolders } from '../append/sync-folders.ts';
import { type Layout, listOrigins, originDir, refuseUnsafe } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { blobsThatWait } from './blobs.ts';
import { filesBelow, placesOf } from './derived.ts';

/**
 * What is added to the name of a file that an erasure removes though none of its targets tells which: a save of before, a text
 * that no event names. Behind its request they go; where that is missing the erasure was not begun, and they get their names back.
 */
const DOOMED = '.doomed';

/**
 * Before anything is begun: nothing is taken from behind a link.
 * @throws Ben10Error JOURNAL_UNSAFE
 */
export function assertReal({ fs }: JournalPorts, layout: Layout, paths: readonly string[]): void {
  const folders = new Set(paths.map(dirname));
  if (paths.some((path) => path.startsWith(`${layout.blobs}/`))) folders.add(layout.blobs);
  for (const folder of folders) refuseUnsafe(fs, folder);
}

/**
 * Takes their names from files. Call with the mark of an erasure set, and before its request is there.
 * @param paths those that are gone are passed over
 * @returns the names they have now
 * @throws Node's error
 */
export function doom(ports: JournalPorts, paths: readonly string[]): string[] {
  const doomed = paths
    .filter((path) => renameIfThere(ports.fs, path, `${path}${DOOMED}`))
    .map((path) => `${path}${DOOMED}`);
  // A request that is on the disk stands for all of them.
  syncFolders(ports, doomed.map(dirname));
  return doomed;
}

/** Those that somebody left who died, where there may be such. Closed folders are passed over: nobody took a name in them. */
export function doomedFiles(ports: JournalPorts, layout: Layout): string[] {
  const { fs } = ports;
  const { root, journal, inbox, blobs, quarantine } = layout;
  const origins = listOrigins(fs, layout).map((origin) => originDir(layout, origin));
  const shards = filesIn(fs, blobs);
  const found = [
    ...[root, journal, inbox, ...origins, ...shards].flatMap((dir) => filesIn(fs, dir)),
    ...[quarantine, ...placesOf(ports, layout)].flatMap((dir) =>
      given(() => filesBelow(ports, dir)),
    ),
  ];
  // One place may be in another.
  return [...new Set(found)].filter((path) => path.endsWith(DOOMED));
}

const filesIn = (fs: FileSystem, dir: string): string[] =>
  given(() => readdirIfThere(fs, dir).map((name) => `${dir}/${name}`));

function given(paths: () => string[]): string[] {
  try {
    return paths();
  } catch (error) {
    if (DENIED.has(errno(error))) return [];
    throw error;
  }
}

/** Whether a file is there under the name that an erasure gave it which died: it goes, or gets its own back, with the next command. */
export const isDoomed = ({ fs }: ReaderPorts, path: string): boolean =>
  fs.statIfThere(`${path}${DOOMED}`) !== undefined;

/**
 * Removes them, but for texts that events name which wait in the inbox. Who finishes the request syncs all folders.
 * @param admit what of the inbox is going to be taken in
 */
export function removeDoomed(
  ports: JournalPorts,
  layout: Layout,
  doomed: readonly string[],
  admit: Admit,
): { files: number; blobs: number } {
  const gone = { files: 0, blobs: 0 };
  if (doomed.length === 0) return gone;
  const waiting = blobsThatWait(ports, layout, admit);
  for (const path of doomed) {
    const name = nameBefore(path);
    if (waiting.has(name)) renameIfThere(ports.fs, path, name);
    else if (removeIfThere(ports.fs, path))
      gone[name.startsWith(`${layout.blobs}/`) ? 'blobs' : 'files'] += 1;
  }
  return gone;
}

/** Of an erasure that was not begun. What was made anew meanwhile stays. */
export function giveBackDoomed(ports: JournalPorts, doomed: readonly string[]): void {
  for (const path of doomed) {
    const name = nameBefore(path);
    if (ports.fs.statIfThere(name) === undefined) renameIfThere(ports.fs, path, name);
    else removeIfThere(ports.fs, path);
  }
  syncFolders(ports, doomed.map(dirname));
}

const nameBefore = (path: string): string => path.slice(0, -DOOMED.length);

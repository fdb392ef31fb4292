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
 * Suffix of files that an erasure removes although no target names them: a save, a blob that no event names. If a crash leaves
 * such files, they are removed if the request is in the journal, and restored if it is not.
 */
const DOOMED = '.doomed';

/**
 * Call before anything is changed: nothing behind a link is removed.
 * @throws Ben10Error JOURNAL_UNSAFE
 */
export function assertReal(ports: JournalPorts, layout: Layout, paths: readonly string[]): void {
  const folders = new Set(paths.map(dirname));
  for (const place of [layout.blobs, ...placesOf(ports, layout, 'kept')])
    if (paths.some((path) => path.startsWith(`${place}/`))) folders.add(place);
  for (const folder of folders) refuseUnsafe(ports.fs, folder);
}

/**
 * Adds the suffix to files. Call after the mark of an erasure is set, before its request is appended.
 * @param paths those that are gone are skipped
 * @returns the new names
 * @throws Node's error
 */
export function doom(ports: JournalPorts, paths: readonly string[]): string[] {
  const doomed = paths
    .filter((path) => renameIfThere(ports.fs, path, `${path}${DOOMED}`))
    .map((path) => `${path}${DOOMED}`);
  // Once the request is on disk, all of them have to be removed.
  syncFolders(ports, doomed.map(dirname));
  return doomed;
}

/** Files that a crashed erasure left with the suffix. Unreadable folders are skipped: nothing was renamed in them. */
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

/** Whether a crashed erasure left the file with the suffix. The next command removes or restores it. */
export const isDoomed = ({ fs }: ReaderPorts, path: string): boolean =>
  fs.statIfThere(`${path}${DOOMED}`) !== undefined;

/**
 * Removes them, except blobs that waiting events name. Finishing the request syncs all folders.
 * @param admit which inbox events are going to be taken in
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

/** Restores the files of an erasure that was not begun, unless they were written again. */
export function giveBackDoomed(ports: JournalPorts, doomed: readonly string[]): void {
  for (const path of doomed) {
    const name = nameBefore(path);
    if (ports.fs.statIfThere(name) === undefined) renameIfThere(ports.fs, path, name);
    else removeIfThere(ports.fs, path);
  }
  syncFolders(ports, doomed.map(dirname));
}

const nameBefore = (path: string): string => path.slice(0, -DOOMED.length);

import { dirname } from 'node:path';
import { asWriteError } from '../journal/append/write-errors.ts';
import { storedStates } from '../journal/erase/derived.ts';
import { removeIfThere } from '../platform/files.ts';
import type { Project } from '../project/open.ts';

export interface RoomMade {
  /** Stored states that went. */
  files: number;
  bytes: number;
}

/** As disks and file managers count. */
const MB = 1_000_000;

/**
 * The stored states that have no room where ben10 keeps more than `context.maxStorageMb`: the oldest, until the rest fits. They can
 * be folded again, so they go before anything else does. The newest two of each projection and session stay: what comes next
 * begins with one, and would store it again. Where something in the journal cannot be read all stay: a state that was stored behind it
 * may be all that is known of it.
 * @param kept bytes of all that ben10 keeps
 * @returns the oldest first
 */
export function statesToRemove(project: Project, kept: number): { path: string; bytes: number }[] {
  const { ports, layout, maxStorageMb } = project;
  let over = kept - maxStorageMb * MB;
  if (over <= 0) return [];
  const states = storedStates(ports, layout).states.filter((path) => STATE.test(path));
  const removable = withoutNewest(states)
    .flatMap((path) => {
      const stat = ports.fs.statIfThere(path);
      return stat?.isFile === true ? [{ path, bytes: stat.size, storedAt: stat.mtimeMs }] : [];
    })
    .sort((a, b) => a.storedAt - b.storedAt);
  if (removable.length === 0 || !isWhole(project)) return [];
  const due = removable.filter(({ bytes }) => {
    const isDue = over > 0;
    over -= bytes;
    return isDue;
  });
  return due.map(({ path, bytes }) => ({ path, bytes }));
}

/** The newest may be of a version that nobody reads any more. */
const KEPT = 2;

/** Their names rise with the events that they are up to. */
function withoutNewest(states: readonly string[]): string[] {
  const folders = new Map<string, string[]>();
  for (const path of states.toSorted())
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return [...folders.values()].flatMap((paths) => paths.slice(0, -KEPT));
}

function isWhole({ reader }: Project): boolean {
  for (const { entry } of reader.entries()) if (entry === undefined) return false;
  return true;
}

const STATE = /\/\d{16}\.ckpt$/;

/**
 * Removes them.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function makeRoom(project: Project, kept: number): RoomMade {
  const due = statesToRemove(project, kept);
  try {
    for (const { path } of due) removeIfThere(project.ports.fs, path);
  } catch (error) {
    throw asWriteError(error, project.layout.checkpoints);
  }
  return roomOf(due);
}

/** What removing these makes. */
export const roomOf = (states: readonly { bytes: number }[]): RoomMade => ({
  files: states.length,
  bytes: states.reduce((sum, { bytes }) => sum + bytes, 0),
});

import type { Project } from '../project/open.ts';
import type { FileDifference } from './diff-files.ts';
import type { OnDisk } from './file-on-disk.ts';
import type { FileVersion } from './file-versions.ts';
import { pathWithin } from './path-text.ts';
import { renamePatch, unifiedDiff } from './unified.ts';

/** Of all patches together. */
const PATCHES_BYTES_MAX = 1024 * 1024;

/**
 * Gives each file that was changed, moved or deleted its unified diff, or why there is none.
 * @param after what was found on the disk, by path
 */
export function addPatches(
  project: Project,
  directory: string | null,
  files: readonly FileDifference[],
  versions: ReadonlyMap<string, FileVersion>,
  after: ReadonlyMap<string, OnDisk>,
): void {
  const root = directory ?? project.dir;
  let left = PATCHES_BYTES_MAX;
  for (const file of files) {
    const name = pathWithin(file.path, root);
    if (file.status === 'moved') file.patch = renamePatch(name, pathWithin(file.movedTo!, root));
    if (file.status !== 'changed' && file.status !== 'deleted') continue;
    const before = versions.get(file.path)?.text;
    const found = after.get(file.path);
    if (file.binary === true) file.noPatch = 'it is a binary file';
    else if (file.status === 'changed' && found?.text === undefined)
      file.noPatch = 'since the disk was believed, the journal has only its hash';
    else if (before === undefined) file.noPatch = 'the journal does not have what was in it';
    else if (left <= 0) file.noPatch = `all together are longer than ${PATCHES_BYTES_MAX} bytes`;
    else {
      Object.assign(file, unifiedDiff(project, name, before, found?.text ?? null));
      left -= file.patch?.length ?? 0;
    }
  }
}

import { createTwoFilesPatch, formatPatch } from 'diff';
import type { Project } from '../project/open.ts';
import { cleanText } from '../projections/safe-text.ts';
import type { FileDifference } from './diff-files.ts';
import type { OnDisk } from './file-on-disk.ts';
import { pathWithin } from './text.ts';
import type { FileVersion } from './tracked-files.ts';

/** Longer patches are not read, and cost tokens. */
export const PATCH_BYTES_MAX = 64 * 1024;
/** Longer texts are not compared. */
const TEXT_CHARS_MAX = 2 * 1024 * 1024;
/** Time limit of one comparison. */
const COMPARE_MS = 1000;

export interface Patch {
  patch?: string;
  noPatch?: string;
}

/**
 * A unified diff of a file. The texts are untrusted: secrets and control characters are removed first.
 * @param name unusual characters are quoted as in git
 * @param before null when there was no file
 * @param after null when there is none
 */
export function unifiedDiff(
  project: Pick<Project, 'redact'>,
  name: string,
  before: string | null,
  after: string | null,
): Patch {
  if ((before?.length ?? 0) + (after?.length ?? 0) > TEXT_CHARS_MAX)
    return { noPatch: `the texts are longer than ${TEXT_CHARS_MAX} characters` };
  // An empty file has no lines to differ.
  if (before === '' && after === null) return { patch: deletePatch(name) };
  const shown = (text: string | null) => (text === null ? '' : cleanText(project.redact(text)));
  const from = before === null ? '/dev/null' : `a/${name}`;
  const to = after === null ? '/dev/null' : `b/${name}`;
  const options = { context: 3, timeout: COMPARE_MS };
  const patch = createTwoFilesPatch(from, to, shown(before), shown(after), '', '', options);
  if (patch === undefined) return { noPatch: `comparing took more than ${COMPARE_MS} ms` };
  // The first line is decoration.
  const text = patch.slice(patch.indexOf('\n') + 1);
  if (!text.includes('\n@@')) return { noPatch: 'only a secret or invisible characters differ' };
  if (Buffer.byteLength(text) > PATCH_BYTES_MAX)
    return { noPatch: `it is longer than ${PATCH_BYTES_MAX} bytes` };
  return { patch: text };
}

/** A patch without changed lines. */
const noLines = { oldHeader: undefined, newHeader: undefined, isGit: true, hunks: [] };

const renamePatch = (from: string, to: string): string =>
  formatPatch({ ...noLines, oldFileName: `a/${from}`, newFileName: `b/${to}`, isRename: true });

const deletePatch = (name: string): string =>
  formatPatch({ ...noLines, oldFileName: `a/${name}`, newFileName: '/dev/null', isDelete: true });

const PATCHES_BYTES_MAX = 1024 * 1024;

/** Adds unified diffs to changed, moved and deleted files, or says why there is none. @param after the disk's content, by path */
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
      file.noPatch = "the disk's version was chosen before, so the journal has only its hash";
    else if (before === undefined) file.noPatch = 'the journal does not have what was in it';
    else if (left <= 0) file.noPatch = `all diffs together exceed ${PATCHES_BYTES_MAX} bytes`;
    else {
      Object.assign(file, unifiedDiff(project, name, before, found?.text ?? null));
      left -= file.patch?.length ?? 0;
    }
  }
}

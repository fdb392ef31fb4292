import { createTwoFilesPatch, formatPatch } from 'diff';
import type { Project } from '../project/open.ts';
import { cleanText } from '../projections/safe-text.ts';

/** Of one patch: a person reads no longer one, and a model pays for it. */
export const PATCH_BYTES_MAX = 64 * 1024;
/** Texts beyond this are not compared line by line. */
const TEXT_CHARS_MAX = 2 * 1024 * 1024;
/** Of one comparison, milliseconds: how long it takes depends on the texts. */
const COMPARE_MS = 1000;

/** A unified diff, or why there is none. */
export interface Patch {
  patch?: string;
  noPatch?: string;
}

/**
 * What changed in a file, as a unified diff. The texts come from outside: secrets are taken out first, by the rules of
 * today, and so are control characters.
 * @param name as it is: what cannot be shown is quoted, as git and patch read it
 * @param before null where there was no file
 * @param after null where there is none
 */
export function unifiedDiff(
  project: Pick<Project, 'redact'>,
  name: string,
  before: string | null,
  after: string | null,
): Patch {
  if ((before?.length ?? 0) + (after?.length ?? 0) > TEXT_CHARS_MAX)
    return { noPatch: `the texts are longer than ${TEXT_CHARS_MAX} characters` };
  // Without a line in it there is nothing that could be different.
  if (before === '' && after === null) return { patch: deletePatch(name) };
  const shown = (text: string | null) => (text === null ? '' : cleanText(project.redact(text)));
  const from = before === null ? '/dev/null' : `a/${name}`;
  const to = after === null ? '/dev/null' : `b/${name}`;
  const options = { context: 3, timeout: COMPARE_MS };
  const patch = createTwoFilesPatch(from, to, shown(before), shown(after), '', '', options);
  if (patch === undefined) return { noPatch: `comparing took more than ${COMPARE_MS} ms` };
  // The first line is a rule that no tool needs.
  const text = patch.slice(patch.indexOf('\n') + 1);
  if (!text.includes('\n@@'))
    return { noPatch: 'nothing is different but a secret or what cannot be shown' };
  if (Buffer.byteLength(text) > PATCH_BYTES_MAX)
    return { noPatch: `it is longer than ${PATCH_BYTES_MAX} bytes` };
  return { patch: text };
}

/** What git and patch read of a file in which no line changed. */
const noLines = { oldHeader: undefined, newHeader: undefined, isGit: true, hunks: [] };

/** A file that was moved as it was. */
export const renamePatch = (from: string, to: string): string =>
  formatPatch({ ...noLines, oldFileName: `a/${from}`, newFileName: `b/${to}`, isRename: true });

/** An empty file that was deleted. */
const deletePatch = (name: string): string =>
  formatPatch({ ...noLines, oldFileName: `a/${name}`, newFileName: '/dev/null', isDelete: true });
